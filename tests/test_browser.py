"""An instructor's and a student's way through nbgrader's pages in JupyterLab, in headless Chromium, on loopback.

The screenshots of a run lie in pytest's temporary folder: `pytest tests/test_browser.py --basetemp build/browser`.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from autograder.course import COURSE, PROMPT_POINTS
from tests.conftest import ROOT, jail_or_skip
from tests.course_copy import copy_course

TOKEN = "only-on-loopback"
START, STEP = 60.0, 120_000.0  # seconds for the server to start; milliseconds for a step in the page
ASSIGNMENT = "attention"
MOST = sum(exercise.points for exercise in COURSE) + PROMPT_POINTS  # what nbgrader takes for the maximum


def chromium() -> str:
    """The system's Chromium; where there is none the test is skipped, but never in CI."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI must install Chromium")
        pytest.skip("there is no Chromium here (Debian: apt install chromium)")
    return path


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address and the course folder that it serves."""

    url: str
    course: Path
    pictures: Path


def solution(grade_id: str) -> str:
    notebook = nbformat.read(ROOT / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", as_version=4)
    return next(cell.source for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def hand_in(course: Path, student: str, filled: dict[str, str]) -> None:
    """Put a student's notebook where nbgrader's collect would: the release with some cells filled in."""
    notebook = nbformat.read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", as_version=4)
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = filled.get(grade_id, cell.source)
    folder = course / "submitted" / student / ASSIGNMENT
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{ASSIGNMENT}.ipynb")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    chromium()
    jail_or_skip("auto")
    home, course, pictures = (tmp_path_factory.mktemp(name) for name in ("home", "course", "pictures"))
    copy_course(course)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    environment |= {"HOME": str(home), "JUPYTER_CONFIG_DIR": str(home / "config"), "JUPYTER_DATA_DIR": str(home / "data")}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={course}", "--ServerApp.port_retries=0"]
    with (home / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=course, env=environment, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(url, server, home / "log")
            yield Lab(url, course, pictures)
        finally:
            server.terminate()
            server.wait(30)


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urlopen(f"{url}/api", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text('utf-8')[-2000:]}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield running
        running.close()


@pytest.fixture
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    """A page that is logged in. Nothing but the server on loopback can be reached from it."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    context.set_default_timeout(STEP)
    context.route(re.compile(r"^https?://(?!127\.0\.0\.1[:/])"), lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{lab.url}/login?token={TOKEN}")
    yield page
    context.close()


def done(page: Page) -> str:
    """Wait for formgrader's message on what it did, which must be one of success; its log."""
    title = page.locator(".modal.in .modal-title, .modal.show .modal-title").last
    title.wait_for()
    log = page.locator(".modal-body").last.inner_text()
    assert "Success" in title.inner_text(), log
    page.keyboard.press("Escape")
    return log


def test_an_instructor_goes_from_the_source_to_feedback_in_formgrader(lab: Lab, page: Page) -> None:
    page.goto(f"{lab.url}/formgrader/manage_assignments")
    row = page.locator("tr", has=page.locator("td.name").get_by_text(ASSIGNMENT, exact=True))
    row.locator(".assign a").click()
    done(page)
    assert (lab.course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").is_file()
    page.screenshot(path=lab.pictures / "assignments.png")

    hand_in(lab.course, "ada", {"softmax": solution("softmax"), "prompt": "You are a teacher of databases."})
    hand_in(lab.course, "bo", {})
    page.goto(f"{lab.url}/formgrader/manage_submissions/{ASSIGNMENT}")
    row = page.locator("tr", has=page.locator("td.student-id").get_by_text("ada", exact=True))
    assert "needs autograding" in row.inner_text()
    row.locator(".autograde a").click()
    done(page)
    row.get_by_text("needs manual grading").wait_for()
    assert f"6 / {MOST:g}" in " ".join(row.locator("td.score").inner_text().split())
    page.screenshot(path=lab.pictures / "submissions.png")

    page.goto(f"{lab.url}/formgrader/gradebook/{ASSIGNMENT}/{ASSIGNMENT}")
    page.get_by_text("Submission #1").first.click()
    points = page.locator("input#prompt")
    points.wait_for()
    page.locator('input#grade-softmax[placeholder="6"]').wait_for()
    points.scroll_into_view_if_needed()
    points.fill("8")
    points.press("Tab")
    page.wait_for_load_state("networkidle")  # the points are saved when the field is left
    page.screenshot(path=lab.pictures / "by-hand.png")

    page.goto(f"{lab.url}/formgrader/manage_submissions/{ASSIGNMENT}")
    row.get_by_text("graded", exact=True).wait_for()
    assert f"14 / {MOST:g}" in " ".join(row.locator("td.score").inner_text().split())
    row.locator(".generate-feedback a").click()
    done(page)

    page.goto((lab.course / "feedback" / "ada" / ASSIGNMENT / f"{ASSIGNMENT}.html").as_uri())  # a file, as students get it
    page.get_by_text(f"Score: 14.0 / {MOST:.1f}").first.wait_for()
    page.screenshot(path=lab.pictures / "feedback.png", full_page=True)


def test_a_student_opens_the_release_fills_a_cell_and_validates(lab: Lab, page: Page) -> None:
    chinese = f"{ASSIGNMENT}-zh"
    subprocess.run([sys.executable, "-m", "nbgrader", "generate_assignment", chinese], cwd=lab.course, check=True, capture_output=True)
    page.goto(f"{lab.url}/lab/tree/release/{chinese}/{chinese}.ipynb")
    validate = page.get_by_role("button", name="Validate")
    validate.wait_for()
    cell = page.locator(".jp-CodeCell", has_text="def softmax(").first
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(solution("softmax"))
    validate.click()
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for()
    told = dialog.inner_text()
    page.screenshot(path=lab.pictures / "validate.png")
    assert 'check("softmax"' not in told
    assert 'check("attention"' in told
    assert "待完成：scaled_dot_product_attention" in told
