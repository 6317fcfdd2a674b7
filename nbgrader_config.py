"""nbgrader's configuration for this course. nbgrader reads it where it is started from the repository root.

A course folder elsewhere needs `configure(c)` and its own course_id; source/attention and source/attention-zh are copied or
linked into it.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

try:
    from autograder.gradebook import configure
except ImportError as error:
    # nbgrader reports an exception in its configuration and goes on without it: the release would lack exercises/.
    sys.exit(f"nbgrader_config.py: {error}. Install the kit in this environment: pip install -e .")

c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.db_url = f"sqlite:///{ROOT / 'gradebook.db'}"
c.IncludeExercises.root = str(ROOT)

# Release with exercises/, autograde through the jail. For nbgrader's own Execute instead, in the kernel and unsafe:
# c.Autograde.autograde_preprocessors, .sanitize_preprocessors and .exporter_class back to nbgrader's defaults.
configure(c)
