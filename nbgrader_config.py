"""nbgrader's configuration for this course. nbgrader reads it where it is started from the repository root."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

try:
    from nbgrader.converters import GenerateAssignment

    from autograder.content.deliverable import TEXT_STUB
    from autograder.content.include import IncludeExercises
    from autograder.content.stubs import STUB_LINE
except ImportError as error:
    # nbgrader reports an exception in its configuration and goes on without it: the release would lack exercises/.
    sys.exit(f"nbgrader_config.py: {error}. Install the kit in this environment: pip install -e .")

# nbgrader runs `alembic`, of its own environment, by its bare name; without this the environment must be activated.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.db_url = f"sqlite:///{ROOT / 'gradebook.db'}"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", ".pytest_cache", ".DS_Store", "feedback"]

# The notebook's stubs read like those of exercises/ and outputs/.
c.ClearSolutions.code_stub = {"python": STUB_LINE}
c.ClearSolutions.text_stub = TEXT_STUB

# exercises/ with the visible tests goes along; without it the check cells of the notebook have nothing to run.
c.IncludeExercises.root = str(ROOT)
c.GenerateAssignment.preprocessors = [*GenerateAssignment().preprocessors, IncludeExercises]
