"""similarity.csv: the pairs of a class with much code in common, as a spreadsheet reads them. The command line writes it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from autograder.course import COURSE
from autograder.reports.atomic import write_atomically
from autograder.reports.pairs import Similar
from autograder.text import csv_cell

COLUMNS = ("student_a", "student_b", "similarity", "share_of_a", "share_of_b", "common_fingerprints")


def similarity_csv(similar: Similar) -> str:
    """The text of similarity.csv: a line per pair, the most similar first; shares from 0 to 1, a column per exercise.

    An exercise's cell is empty where the two have little of it in common.
    """
    named = {shared.id for pair in similar.pairs for shared in pair.exercises}
    exercises = [exercise.id for exercise in COURSE if exercise.id in named]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *exercises])
    for pair in similar.pairs:
        shares = {shared.id: f"{shared.share:.2f}" for shared in pair.exercises}
        figures = [f"{share:.2f}" for share in (pair.share, pair.share_of_first, pair.share_of_second)]
        names = csv_cell(pair.first), csv_cell(pair.second)
        writer.writerow([*names, *figures, pair.common, *(shares.get(exercise, "") for exercise in exercises)])
    return out.getvalue()


def write_similarity(path: Path, similar: Similar) -> None:
    """Write similarity.csv to `path`, UTF-8, whole or not at all."""
    write_atomically(path, similarity_csv(similar))
