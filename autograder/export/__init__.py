"""What a graded class becomes elsewhere: a gradebook of Canvas or Moodle, Gradescope's results, a plain table. One module a format.

`command` is what the command line calls; `graded` reads the reports, `told` what students may read of them, `filling` puts
scores into a table that an LMS wrote.
"""

from __future__ import annotations
