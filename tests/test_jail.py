"""What the jails promise (design.md, section 7), tried by code that runs inside them.

Three of them: bubblewrap; Landlock with the namespaces that it makes where it may; Landlock alone, its fallback.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from autograder.inside import seccomp, syscalls
from autograder.jail import DRAWING, PRELOAD, Ending, JailUnavailable, Session, Template, Worker, choose, launch, machine, probe
from autograder.jail.packages import visible_packages
from autograder.limits import DEFAULT, KIB, MIB

ROOT = Path(__file__).resolve().parent.parent
EVALUATOR = Path(__file__).with_name("jail_evaluator.py")
LIMITS = replace(DEFAULT, memory=256 * MIB, scratch=8 * MIB, output_kept=64 * KIB, submission_seconds=20)
JAILS = ("bubblewrap", "landlock", "landlock alone")
ANSWER_SECONDS = 30.0


class Jailed:
    """A worker that evaluates Python source."""

    def __init__(self, worker: Worker):
        self.worker = worker

    def __enter__(self) -> Jailed:
        return self

    def __exit__(self, *error: object) -> None:
        self.worker.close()

    def send(self, source: str) -> None:
        body = textwrap.dedent(source).encode()
        self.worker.connection.sendall(struct.pack(">I", len(body)) + body)

    def receive(self) -> Any:
        self.worker.connection.settimeout(ANSWER_SECONDS)
        head = self.worker.connection.recv(4, socket.MSG_WAITALL)
        if len(head) < 4:
            raise EOFError(self.worker.close())
        return json.loads(self.worker.connection.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL))

    def __call__(self, source: str) -> Any:
        """What the source leaves in `result`; fails where it raises."""
        self.send(source)
        answer = self.receive()
        assert "result" in answer, answer["trace"]
        return answer["result"]

    def raises(self, source: str) -> str:
        """The name of the exception that the source raises; empty where it raises none."""
        self.send(source)
        return self.receive().get("raised", "")

    def end(self) -> Ending:
        """Wait for the process to end by itself, then close."""
        assert select.select([self.worker.fileno_of_death()], [], [], ANSWER_SECONDS)[0], "it did not end"
        return self.worker.close()


def start(kind: str, limits: Any = LIMITS) -> Template:
    """A template of one of JAILS."""
    if kind != "landlock alone":
        return Template(kind, limits, worker=EVALUATOR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(launch.NAMESPACES, "landlock", "none")
        template = Template("landlock", limits, worker=EVALUATOR)
        template.ready()
        return template


def skip(reason: str) -> NoReturn:
    """This machine lacks what a test needs: skipped with the reason, and a failure in CI, where nothing may be lacking."""
    if "CI" in os.environ:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module", params=JAILS)
def template(request: pytest.FixtureRequest) -> Iterator[Template]:
    try:
        made = start(request.param)
        made.ready()
    except JailUnavailable as error:
        skip(f"{request.param}: {error}")
    with made:
        yield made


@pytest.fixture
def has_namespaces(template: Template) -> bool:
    return "namespaces" not in template.ready().missing


@pytest.fixture
def spawn(template: Template) -> Iterator[Callable[..., Jailed]]:
    workers: list[Worker] = []

    def spawn(files: dict[str, bytes] | None = None, setup: dict[str, Any] | None = None) -> Jailed:
        workers.append(template.spawn(files or {}, setup or {}))
        return Jailed(workers[-1])

    yield spawn
    for worker in workers:
        worker.close()


@pytest.fixture
def jailed(spawn: Callable[..., Jailed]) -> Jailed:
    return spawn({"exercises/softmax.py": b"def softmax(x):\n    return x\n", "data/table.txt": b"1 2 3"})


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A temporary folder that other users may enter, with a blank in its name; pytest's own are closed."""
    with tempfile.TemporaryDirectory(prefix="open folder ") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def processes_with(mark: str) -> list[int]:
    """Processes on this machine whose command line holds the mark."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "cmdline").read_bytes() and int(folder.name) != os.getpid():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


class TestNothingToFind:
    def test_no_file_outside_can_be_read(self, jailed: Jailed) -> None:
        secrets = [ROOT / "autograder/limits.py", ROOT / "solutions/__init__.py", __file__, "/etc/passwd", "/etc/hostname"]
        secrets += ["/proc/1/environ", "/proc/self/environ", "/proc/version", "/sys/kernel/notes"]
        for path in filter(os.path.exists, secrets):
            assert jailed.raises(f"open({str(path)!r}, 'rb').read()") in ("FileNotFoundError", "PermissionError"), path

    def test_no_folder_outside_can_be_listed(self, jailed: Jailed) -> None:
        for path in (ROOT, Path.home(), Path("/home"), Path("/etc"), Path("/proc"), Path("/tmp"), Path("/var"), Path("/usr/share")):
            assert jailed.raises(f"import os\nif os.listdir({str(path)!r}): pass\nelse: raise FileNotFoundError") in (
                "FileNotFoundError",
                "PermissionError",
            ), path

    def test_with_namespaces_nothing_else_even_exists(self, jailed: Jailed, has_namespaces: bool) -> None:
        if not has_namespaces:
            assert jailed.raises("open('/etc/passwd')") == "PermissionError"  # Landlock alone hides what is in it, not the name
            return
        for path in (ROOT / "autograder", Path(__file__), Path.home() / ".profile", Path("/etc/passwd"), Path("/home"), Path("/var")):
            assert jailed(f"import os\nresult = os.path.exists({str(path)!r})") is False, path

    def test_no_installed_package_but_the_allowed(self, jailed: Jailed) -> None:
        for name in ("autograder", "solutions", "pytest", "nbgrader", "msgpack", "pip", "setuptools", "rich", "wire", "worker", "template"):
            assert jailed.raises(f"import {name}") == "ModuleNotFoundError", name
        assert not jailed("import sys\nresult = [m for m in sys.modules if m.startswith(('autograder', 'msgpack', 'jail_'))]")

    def test_the_environment_holds_nothing_of_ours(self, jailed: Jailed, monkeypatch: pytest.MonkeyPatch) -> None:
        found = jailed("import os\nresult = dict(os.environ)")
        known = {*launch.environment(), *launch.ALONG, "HOME", "TMPDIR", "MPLCONFIGDIR", "PYTHONPATH"}
        assert {name for name in found if not name.endswith("_NUM_THREADS")} <= known
        assert found["PATH"] == ""
        # Not only Python's view of it: the process's own copy, and through it that of any child.
        own = jailed("import ctypes\nget = ctypes.CDLL(None).getenv\nget.restype = ctypes.c_char_p\nresult = repr(get(b'USER'))")
        assert own == "None"

    def test_a_secret_of_the_graders_environment_is_nowhere_in_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        try:
            kind = choose("auto")
        except JailUnavailable as error:
            skip(str(error))
        monkeypatch.setenv("AUTOGRADER_TEST_SECRET", "squirrel-" + "7391")
        source = """
            import ctypes
            stack = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "environ").value
            strings, where = [], ctypes.POINTER(ctypes.c_char_p)
            pointer, i = ctypes.cast(stack, where), 0
            while pointer[i]:
                strings.append(pointer[i].decode())
                i += 1
            result = strings
        """
        with Template(kind, LIMITS, worker=EVALUATOR) as template, Jailed(template.spawn({}, {})) as jailed:
            assert "squirrel" not in " ".join(jailed(source))

    def test_no_network_of_any_kind(self, jailed: Jailed) -> None:
        for family in ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_ALG", "AF_VSOCK"):
            for kind in ("SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW"):
                assert jailed.raises(f"import socket\nsocket.socket(socket.{family}, socket.{kind})") in ("PermissionError", "OSError")
        assert jailed.raises("import socket\nsocket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)") == "PermissionError"
        assert jailed("import socket\na, b = socket.socketpair()\na.send(b'x')\nresult = b.recv(1).decode()") == "x"

    def test_only_the_fixed_descriptors_are_open(self, jailed: Jailed) -> None:
        source = """
            import os
            result = []
            for number in range(1024):
                try:
                    os.fstat(number)
                    result.append(number)
                except OSError:
                    pass
        """
        assert jailed(source) == [0, 1, 2, 3]

    def test_no_process_outside_can_be_signalled_or_traced(self, jailed: Jailed, template: Template) -> None:
        running = template._running
        assert running is not None and running._process is not None
        for pid in (os.getpid(), os.getppid(), running._process.pid):
            own = jailed("import os\nresult = [os.getpid(), os.getppid()]")
            if pid not in own:  # a number may mean another process in a namespace of its own
                assert jailed.raises(f"import os\nos.kill({pid}, 0)") in ("ProcessLookupError", "PermissionError")
        jailed("import os\ntry: os.kill(os.getppid(), 9)\nexcept OSError: pass\nimport time; time.sleep(0.2); result = 0")
        source = """
            import ctypes, os
            libc = ctypes.CDLL(None, use_errno=True)
            result = [libc.ptrace(16, pid, 0, 0) for pid in (1, os.getppid(), %d)]
        """
        assert jailed(source % os.getpid()) == [-1, -1, -1]
        assert jailed("result = 'still here'") == "still here"

    def test_kill_all_reaches_only_its_own(self, spawn: Callable[..., Jailed], template: Template) -> None:
        with spawn() as bystander, spawn() as attacker:
            attacker.send("import os\nos.kill(-1, 9)")
            time.sleep(0.3)
            attacker.worker.close()
            assert bystander("result = 1") == 1
        running = template._running
        assert running is not None and not running.ended.is_set()

    def test_dangerous_system_calls_are_refused(self, jailed: Jailed) -> None:
        source = """
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            result = {}
            for name, number in %r.items():
                libc.syscall(number, -1, -1, -1, -1, -1, -1)
                result[name] = ctypes.get_errno()
        """
        names = {name: syscalls.number(name) for name in seccomp.REFUSED if syscalls.number(name) >= 0}
        found = jailed(source % names)
        assert {name for name, error in found.items() if error != seccomp.EPERM} == set()
        source = """
            import ctypes, os
            libc = ctypes.CDLL(None, use_errno=True)
            result = []
            for number in (%d, 451, 500, 0x40000000 + 39):
                libc.syscall(number, 0, 0, 0, 0, 0, 0)
                result.append(ctypes.get_errno())
        """
        assert jailed(source % syscalls.number("clone3")) == [seccomp.ENOSYS] * 4

    def test_no_new_namespace_and_no_capability(self, jailed: Jailed) -> None:
        source = """
            import ctypes, os, signal
            libc = ctypes.CDLL(None, use_errno=True)
            result = []
            for flag in (0x00020000, 0x10000000, 0x20000000, 0x40000000):
                pid = libc.syscall(%d, flag | 17, 0, 0, 0, 0)
                if pid == 0:
                    os._exit(0)
                result.append(pid)
        """
        assert jailed(source % syscalls.number("clone")) == [-1] * 4
        assert jailed.raises("import os\nos.setuid(0) if os.getuid() else os.chown('/', 1, 1)") in ("PermissionError", "OSError")


class TestItsOwnFiles:
    def test_the_submission_can_be_read_and_imported(self, jailed: Jailed) -> None:
        assert jailed("from exercises.softmax import softmax\nresult = softmax(3)") == 3
        assert jailed("import softmax as again\nresult = again.softmax(4)") == 4
        assert jailed("import os\nresult = open(os.path.join(setup['root'], 'data/table.txt')).read()") == "1 2 3"

    def test_the_submission_cannot_be_changed(self, jailed: Jailed) -> None:
        jailed("import os\nos.chdir(setup['root'])\nresult = 0")
        for attempt in (
            "open('exercises/softmax.py', 'w')",
            "open('exercises/softmax.py', 'a')",
            "open('extra.py', 'x')",
            "import os; os.unlink('data/table.txt')",
            "import os; os.rename('data', 'other')",
            "import os; os.mkdir('more')",
            "import os; os.truncate('data/table.txt', 0)",
            "import os; os.symlink('/etc', 'etc')",
            "import os; os.link('data/table.txt', 'hard')",
        ):
            assert jailed.raises(attempt) in ("PermissionError", "OSError"), attempt
        jailed("import os\ntry: os.chmod('data/table.txt', 0o777)\nexcept OSError: pass\nresult = 0")
        assert jailed.raises("open('data/table.txt', 'w')") in ("PermissionError", "OSError")
        assert jailed("result = open('data/table.txt').read()") == "1 2 3"

    def test_the_scratch_folder_is_where_it_starts_and_empty(self, jailed: Jailed) -> None:
        assert jailed("import os\nresult = os.listdir('.')") == []
        assert jailed("import os\nresult = os.getcwd() == os.environ['HOME'] == os.environ['TMPDIR']") is True
        jailed("import os, tempfile\nopen('a', 'w').write('x')\nos.mkdir('d')\nos.rename('a', 'b')\nresult = 0")
        assert jailed("import tempfile\nwith tempfile.NamedTemporaryFile() as f: f.write(b'x'); result = 1") == 1

    def test_nothing_else_can_be_written(self, jailed: Jailed) -> None:
        for path in ("/x", "/tmp/x", "/dev/shm/x", "/packages/x", "/var/tmp/x", str(Path(sys.base_prefix) / "x"), str(ROOT / "x")):
            if path == "/dev/shm/x":  # a link to the scratch folder, where there are namespaces
                continue
            assert jailed.raises(f"open({path!r}, 'w')") in ("PermissionError", "FileNotFoundError", "OSError"), path
        assert jailed.raises("import numpy\nopen(numpy.__file__, 'a')") in ("PermissionError", "OSError")

    def test_one_file_is_limited(self, jailed: Jailed) -> None:
        source = """
            with open("big", "wb") as file:
                for _ in range(64):
                    file.write(bytes(1 << 20))
        """
        assert jailed.raises(source) == "OSError"

    def test_the_scratch_folder_is_limited(self, jailed: Jailed, has_namespaces: bool) -> None:
        source = """
            import time
            for i in range(40):
                with open(f"part{i}", "wb") as file:
                    file.write(bytes(1 << 20))
            time.sleep(2)
        """
        if has_namespaces:
            assert jailed.raises(source) == "OSError"
        else:
            jailed.send(source)
            assert "wrote more than" in jailed.end().reason

    def test_leftovers_are_invisible_to_the_next(self, spawn: Callable[..., Jailed]) -> None:
        source = """
            import os
            open("left", "w").write("x")
            deep = "d"
            for _ in range(1200):  # deeper than a path may be long
                os.mkdir(deep)
                os.chdir(deep)
            result = 0
        """
        with spawn({"mine.py": b"x = 1"}) as first:
            assert first(source) == 0
            scratch, root = first("import os\nresult = [os.environ['HOME'], setup['root']]")
        with spawn({"yours.py": b"x = 2"}) as second:
            assert second("import os\nresult = os.listdir(os.environ['HOME'])") == []
            assert second("import os\nresult = os.listdir(setup['root'])") == ["yours.py"]
        assert not os.path.exists(f"{scratch}/left")
        assert not os.path.exists(f"{root}/mine.py")

    def test_files_outside_of_the_submission_are_refused(self, template: Template) -> None:
        for path in ("../evil.py", "/etc/evil", "a/../../b", "a//b", "", ".", "a/./b", "a\0b", "x" * 300):
            with pytest.raises(ValueError):
                template.spawn({path: b""}, {})
        with pytest.raises(ValueError):
            template.spawn({"a": b"", "a/b": b""}, {})

    def test_names_of_any_kind_arrive(self, spawn: Callable[..., Jailed]) -> None:
        names = ["with space.py", "数据.txt", "-rf", "new\nline", "\udcff.bin", "=1+1"]
        with spawn({name: name.encode("utf-8", "surrogateescape") for name in names}) as jailed:
            found = jailed("import os\nresult = [os.fsencode(n).hex() for n in os.listdir(setup['root'])]")
        assert sorted(found) == sorted(os.fsencode(name).hex() for name in names)


class TestNothingToBreak:
    def test_memory_is_limited(self, jailed: Jailed) -> None:
        assert jailed.raises("x = bytearray(300 << 20)") == "MemoryError"
        assert jailed.raises("import numpy\nnumpy.ones(300 << 17)") in ("MemoryError", "_ArrayMemoryError")
        assert jailed("import numpy\nresult = float(numpy.ones(150 << 17).sum())") == 150 << 17

    def test_memory_of_all_processes_together_is_limited(self, jailed: Jailed) -> None:
        jailed.send(
            """
            import os, time
            for _ in range(6):
                if os.fork() == 0:
                    break
            held = bytearray(b"x") * (150 << 20)
            time.sleep(20)
            """
        )
        ending = jailed.end()
        assert ending.signal == signal.SIGKILL
        assert "memory" in ending.reason

    def test_a_fork_bomb_is_bounded_and_dies(self, template: Template, spawn: Callable[..., Jailed]) -> None:
        source = """
            import os, time
            made = 0
            try:
                for _ in range(500):
                    if os.fork() == 0:
                        time.sleep(60)
                        os._exit(0)
                    made += 1
            except OSError:
                pass
            result = made
        """
        with spawn() as jailed:
            assert 40 <= jailed(source) <= 70
            start = time.monotonic()
        assert time.monotonic() - start < 5
        with spawn() as jailed:
            jailed.send("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass")
            time.sleep(1)
            start = time.monotonic()
            jailed.worker.close()
            assert time.monotonic() - start < 10
        with spawn() as jailed:
            assert jailed("result = 1") == 1

    def test_threads_are_possible_and_bounded(self, jailed: Jailed) -> None:
        source = """
            import threading
            gate, made = threading.Event(), 0
            try:
                for _ in range(500):
                    threading.Thread(target=gate.wait, daemon=True).start()
                    made += 1
            except RuntimeError:
                pass
            gate.set()
            result = made
        """
        assert 16 <= jailed(source) <= 70

    def test_open_files_are_limited(self, jailed: Jailed) -> None:
        assert jailed.raises("kept = []\nwhile True: kept.append(open('/dev/null'))") == "OSError"

    def test_limits_cannot_be_raised(self, jailed: Jailed) -> None:
        for name in ("AS", "NPROC", "NOFILE", "CPU", "FSIZE", "CORE"):
            assert jailed.raises(
                f"import resource as r\nsoft, hard = r.getrlimit(r.RLIMIT_{name})\nr.setrlimit(r.RLIMIT_{name}, (hard + 1, hard + 1))"
            ) in ("ValueError", "PermissionError"), name

    def test_processor_time_is_limited(self) -> None:
        try:
            kind = choose("auto")
        except JailUnavailable as error:
            skip(str(error))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(launch, "SPARE_CPU_SECONDS", 0)
            template = Template(kind, replace(LIMITS, submission_seconds=1), worker=EVALUATOR)
            template.ready()
        with template, Jailed(template.spawn({}, {})) as jailed:
            jailed.send("while True: pass")
            assert jailed.end().signal in (signal.SIGXCPU, signal.SIGKILL)

    def test_a_flood_on_stdout_is_cut_and_does_not_stop_it(self, jailed: Jailed) -> None:
        source = """
            import os, sys
            print("first")
            sys.stdout.flush()
            for _ in range(200):
                os.write(1, b"x" * (1 << 20))
            os.write(2, b"to stderr")
            result = "done"
        """
        assert jailed(source) == "done"
        ending = jailed.worker.close()
        assert ending.stdout.startswith(b"first\nxxx")
        assert len(ending.stdout) == LIMITS.output_kept
        assert ending.stderr == b"to stderr"

    def test_an_endless_loop_is_killed(self, jailed: Jailed) -> None:
        jailed.send("import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: pass")
        time.sleep(0.2)
        start = time.monotonic()
        ending = jailed.worker.close()
        assert time.monotonic() - start < 2
        assert (ending.exit_code, ending.signal) == (None, signal.SIGKILL)
        assert jailed.worker.close() is ending

    @pytest.mark.parametrize("how", ["fork", "setsid", "exec"])
    def test_a_daemon_is_dead_after_close(self, spawn: Callable[..., Jailed], how: str) -> None:
        mark = f"daemon-{os.getpid()}-{time.monotonic_ns()}"
        source = f"""
            import os, sys, time
            def leave():
                try:
                    os.setsid() if {how!r} == "setsid" else None
                except OSError:
                    pass
            if os.fork() == 0:
                leave()
                if os.fork() == 0:
                    leave()
                    if {how!r} == "exec":
                        os.execv(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(60)", {mark!r}])
                    while True:
                        time.sleep(0.05)
                        open("alive", "w").write(str(time.time()))
                os._exit(0)
            os.wait()
            time.sleep(0.5)
            result = [os.getcwd(), os.path.exists("alive")]
        """
        with spawn() as jailed:
            scratch, alive = jailed(source)
            assert alive or how == "exec"
            assert len(processes_with(mark)) == (how == "exec")
        assert processes_with(mark) == []
        assert not os.path.exists(f"{scratch}/alive")

    def test_a_child_that_holds_the_connection_does_not_hide_the_death(self, jailed: Jailed) -> None:
        jailed.send("import os, time\nif os.fork() == 0: time.sleep(60)\nos._exit(7)")
        start = time.monotonic()
        ending = jailed.end()
        assert time.monotonic() - start < 5
        assert (ending.exit_code, ending.signal) == (7, None)

    def test_it_is_told_how_the_process_ended(self, spawn: Callable[..., Jailed]) -> None:
        for source, expected in (
            ("import os; os._exit(3)", (3, None)),
            ("import os; os.kill(os.getpid(), 9)", (None, 9)),
            ("import os; os.abort()", (None, 6)),
            ("import ctypes; ctypes.string_at(0)", (None, 11)),
        ):
            with spawn() as jailed:
                jailed.send(source)
                ending = jailed.end()
                assert (ending.exit_code, ending.signal) == expected, source
        with spawn() as jailed:
            jailed.worker.connection.shutdown(socket.SHUT_WR)
            assert jailed.end().exit_code == 0


class TestAStudentsInterpreter:
    def test_numpy_and_matplotlib_work(self, jailed: Jailed) -> None:
        assert jailed("import numpy as np\nresult = float(np.linalg.norm(np.eye(3) @ np.ones(3)) ** 2)") == pytest.approx(3)
        if "matplotlib" not in visible_packages():
            skip("matplotlib is not installed")
        source = """
            import os
            import matplotlib.pyplot as plt
            plt.imshow([[1, 2], [3, 4]])
            plt.savefig("picture.png")
            result = os.path.getsize("picture.png")
        """
        assert jailed(source) > 1000

    def test_what_the_template_has_drawn_with_is_there_and_writes_to_ones_own_folder(self) -> None:
        if "matplotlib" not in visible_packages():
            skip("matplotlib is not installed")
        try:
            kind = choose("auto")
        except JailUnavailable as error:
            skip(str(error))
        source = """
            import os, sys
            there = "matplotlib.pyplot" in sys.modules
            import matplotlib, matplotlib.pyplot as plt
            plt.title("drawn")
            plt.savefig("picture.png")
            result = [there, os.path.samefile(matplotlib.get_configdir(), "."), os.path.getsize("picture.png") > 1000, os.listdir(".")]
        """
        with Template(kind, DEFAULT, worker=EVALUATOR, preload=(*PRELOAD, *DRAWING)) as template:
            for _ in range(2):
                with Jailed(template.spawn({}, {})) as jailed:
                    there, own, drawn, files = jailed(source)
                    assert drawn and files == ["picture.png"]
                    assert (there, own) == (True, True) or "namespaces" in template.ready().missing

    def test_a_students_file_may_have_the_name_of_one_of_ours(self, spawn: Callable[..., Jailed]) -> None:
        names = ("wire", "msgpack", "worker", "template", "confine", "autograder", "kernel")
        with spawn({f"{name}.py": b"mine = True" for name in names}) as jailed:
            for name in names:
                assert jailed(f"import {name}\nresult = {name}.mine") is True

    def test_the_path_begins_with_the_submission(self, jailed: Jailed) -> None:
        path, root = jailed("import sys\nresult = [sys.path, setup['root']]")
        assert path[:2] == [root, f"{root}/exercises"]
        assert not [entry for entry in path if "site-packages" in entry or "dist-packages" in entry or "kit" in entry]

    def test_random_numbers_differ_between_workers(self, spawn: Callable[..., Jailed]) -> None:
        source = "import random, numpy\nresult = [random.random(), numpy.random.rand(), numpy.random.default_rng().random()]"
        with spawn() as one, spawn() as other:
            assert not set(one(source)) & set(other(source))

    def test_subprocesses_and_multiprocessing_work(self, jailed: Jailed) -> None:
        source = """
            import subprocess, sys
            command = [sys.executable, "-c", "import numpy; print(numpy.prod([6, 7]))"]
            result = subprocess.run(command, capture_output=True, text=True).stdout
        """
        assert jailed(source) == "42\n"
        source = """
            import multiprocessing
            context = multiprocessing.get_context("fork")
            mine, yours = context.Pipe()
            child = context.Process(target=lambda: yours.send("hello"))
            child.start()
            result = mine.recv()
            child.join()
        """
        assert jailed(source) == "hello"

    def test_printing_what_is_no_text_does_not_fail(self, jailed: Jailed) -> None:
        assert jailed("import sys\nprint('\\udcff 注意力')\nsys.stdout.flush()\nresult = 1") == 1
        assert "注意力".encode() in jailed.worker.close().stdout


class TestOneSubmission:
    """Its processes come one after the other, and none finds what another one left, knew or printed."""

    @pytest.fixture
    def session(self, template: Template) -> Iterator[Session]:
        with template.open({"n.py": b"n = []"}) as session:
            yield session

    def test_each_process_begins_anew(self, session: Session) -> None:
        for number in range(3):
            with Jailed(session.spawn({"number": number})) as jailed:
                assert jailed("import n\nn.n.append(1)\nresult = [n.n, setup['number']]") == [[1], number]
                assert jailed("import os\nresult = [os.listdir('.'), os.listdir(setup['root'])]") == [[], ["n.py"]]

    @pytest.mark.parametrize(
        "trace",
        [
            "open('left', 'w').write('x')",
            "os.mkdir('left')",
            "open('left', 'w').close(); os.unlink('left')",
            "os.symlink('/', 'left')",
            "os.chmod('.', 0o755)",
            "os.utime('.', (1, 1))",
            "os.utime('.')",
            "os.listdir('.')",
            "os.setxattr('.', 'user.left', b'x')",
            "kept = open('left', 'w'); os.unlink('left'); kept.write('x' * 100000); kept.flush()",
        ],
    )
    def test_a_trace_in_the_scratch_folder_is_gone(self, session: Session, trace: str) -> None:
        look = """
            import os
            folder = os.stat(".")
            times = [folder.st_atime_ns, folder.st_mtime_ns, folder.st_ctime_ns]
            result = [[folder.st_mode, os.listdir("."), os.listxattr(".")], times]
        """
        with Jailed(session.spawn({})) as jailed:
            clean, at_first = jailed(look)
            jailed(f"import os, time\ntime.sleep(0.01)\ntry:\n    {trace}\nexcept OSError: pass\nresult = 0")
            _, left = jailed(look)
        with Jailed(session.spawn({})) as jailed:
            found, times = jailed(look)
        assert found == clean
        assert times == at_first or not set(times) & (set(left) - set(at_first))

    def test_all_that_a_process_started_is_dead_when_the_next_one_starts(self, session: Session) -> None:
        mark = f"left-{os.getpid()}-{time.monotonic_ns()}"
        source = f"""
            import os, sys, time
            for _ in range(3):
                if os.fork() == 0:
                    if os.fork() == 0:
                        os.execv(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(60)", {mark!r}])
                    os._exit(0)
            time.sleep(0.5)
            result = 0
        """
        with Jailed(session.spawn({})) as jailed:
            jailed(source)
            assert len(processes_with(mark)) == 3
        assert processes_with(mark) == []
        with Jailed(session.spawn({})) as jailed:
            assert jailed("result = 1") == 1

    def test_each_process_has_its_own_output_and_ending(self, session: Session) -> None:
        endings = []
        for number in range(3):
            with Jailed(session.spawn({})) as jailed:
                jailed(f"print('of', {number}, flush=True)\nresult = 0")
                jailed.send(f"import os\nos._exit({number})")
                endings.append(jailed.end())
        assert [(ending.stdout, ending.exit_code) for ending in endings] == [(b"of %d\n" % number, number) for number in range(3)]

    def test_it_goes_on_where_its_keeper_or_template_died(self, session: Session, template: Template) -> None:
        with Jailed(session.spawn({})) as jailed:
            jailed.send("import os, signal\nwhile True: os.kill(os.getppid(), signal.SIGTERM)")
            time.sleep(0.2)
        with Jailed(session.spawn({})) as jailed:
            assert jailed("import n\nresult = n.n") == []
        assert template._running is not None and template._running._process is not None
        template._running._process.kill()
        time.sleep(0.3)
        with Jailed(session.spawn({})) as jailed:
            assert jailed("import n\nresult = n.n") == []

    def test_one_keeper_serves_all_where_nothing_is_left(self, session: Session, has_namespaces: bool) -> None:
        keepers = set()
        for _ in range(3):
            with Jailed(session.spawn({})) as jailed:
                jailed("result = 0")
                keepers.add(id(session._keeper))
                kept = session._keeper
        assert kept is not None
        assert len(keepers) == (1 if has_namespaces and os.geteuid() == 0 else 3)

    def test_descriptors_do_not_pile_up(self, session: Session) -> None:
        for count in range(12):
            with Jailed(session.spawn({})) as jailed:
                jailed("result = 0")
            if count == 1:
                before = len(os.listdir("/proc/self/fd"))
        assert len(os.listdir("/proc/self/fd")) <= before


class TestTheTemplate:
    def test_it_serves_from_many_threads_at_once(self, template: Template) -> None:
        answers: list[int] = []

        def job(i: int) -> None:
            with Jailed(template.spawn({"n.py": f"n = {i}".encode()}, {})) as jailed:
                answers.append(jailed("import n, time\ntime.sleep(0.1)\nresult = n.n"))

        threads = [threading.Thread(target=job, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == list(range(8))

    def test_it_outlives_the_thread_that_made_it(self, request: pytest.FixtureRequest, template: Template) -> None:
        made: list[Template] = []
        thread = threading.Thread(target=lambda: made.append(Template(template.jail, LIMITS, worker=EVALUATOR)))
        thread.start()
        thread.join()
        time.sleep(0.3)
        with made[0] as other, Jailed(other.spawn({}, {})) as jailed:
            assert jailed("result = 5") == 5

    def test_it_starts_again_where_it_died(
        self, request: pytest.FixtureRequest, template: Template, open_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(open_folder))
        mark = f"survivor-{os.getpid()}-{time.monotonic_ns()}"
        with start(request.node.callspec.params["template"]) as own:
            worker = own.spawn({}, {})
            source = f"""
                import os, sys
                if os.fork() == 0:
                    os.execv(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(60)", {mark!r}])
                result = 0
            """
            Jailed(worker)(source)
            assert own._running is not None and own._running._process is not None
            own._running._process.kill()
            assert select.select([worker.fileno_of_death()], [], [], 10)[0]
            worker.close()
            deadline = time.monotonic() + 5
            while processes_with(mark) and time.monotonic() < deadline:  # nobody is left who could wait for them
                time.sleep(0.02)
            assert processes_with(mark) == []
            assert list(open_folder.iterdir()) == []
            with Jailed(own.spawn({}, {})) as jailed:
                assert jailed("result = 5") == 5

    def test_a_big_submission_arrives(self, template: Template) -> None:
        content = os.urandom(1 << 20) * 60
        start = time.monotonic()
        with Jailed(template.spawn({"big.bin": content}, {})) as jailed:
            assert jailed("import os\nresult = os.path.getsize(os.path.join(setup['root'], 'big.bin'))") == len(content)
        assert time.monotonic() - start < 5

    @pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
    def test_nothing_is_left_when_the_grader_is_killed(self, template: Template, open_folder: Path, how: signal.Signals) -> None:
        mark = f"orphan-{os.getpid()}-{time.monotonic_ns()}"
        alone = "namespaces" in template.ready().missing
        script = open_folder / "grader.py"
        script.write_text(
            textwrap.dedent(
                f"""
                import struct, sys, time
                from pathlib import Path
                from autograder.jail import Template, launch
                from autograder.limits import DEFAULT
                if {alone}:
                    launch.NAMESPACES["landlock"] = "none"
                template = Template({template.jail!r}, DEFAULT, worker=Path({str(EVALUATOR)!r}))
                worker = template.spawn({{}}, {{}})
                body = b'''import os, sys
                if os.fork() == 0:
                    if os.fork() == 0:
                        os.execv(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(60)", "{mark}"])
                '''.replace(b"\\n                ", b"\\n")
                worker.connection.sendall(struct.pack(">I", len(body)) + body)
                worker.connection.recv(100)
                time.sleep(0.5)
                print("ready", flush=True)
                time.sleep(60)
                """
            )
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(open_folder)}
        with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=environment) as grader:
            assert grader.stdout is not None
            assert grader.stdout.readline() == b"ready\n"
            assert len(processes_with(mark)) >= 1
            grader.send_signal(how)
        deadline = time.monotonic() + 5
        while (processes_with(mark) or list(open_folder.glob("autograder-*"))) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert processes_with(mark) == []
        assert list(open_folder.glob("autograder-*")) == []

    def test_close_removes_its_temporary_folder(self, open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(open_folder))
        try:
            template = start("landlock alone")
            template.ready()
        except JailUnavailable as error:
            skip(str(error))
        with Jailed(template.spawn({}, {})) as jailed:
            jailed("open('x', 'w').write('x')\nresult = 0")
            assert len(list(open_folder.iterdir())) == 1
        template.close()
        assert list(open_folder.iterdir()) == []
        with pytest.raises(JailUnavailable):
            template.spawn({}, {})

    def test_descriptors_do_not_pile_up(self, template: Template) -> None:
        with Jailed(template.spawn({}, {})) as jailed:
            jailed("result = 0")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            with Jailed(template.spawn({}, {})) as jailed:
                jailed("result = 0")
        assert len(os.listdir("/proc/self/fd")) == before


class TestAnOrdinaryUser:
    def test_all_of_this_holds_for_an_ordinary_user(self, open_folder: Path) -> None:
        """The tests of this file again as a user without rights, with an interpreter that such a user can read."""
        if "CI" not in os.environ or os.geteuid() != 0:
            pytest.skip("run in CI, by root")
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        needed = "import msgpack, numpy, packaging, pytest"
        interpreters = [sys.executable, "/usr/bin/python3"]
        found = next((python for python in interpreters if can_run([python, "-c", needed], **nobody)), None)
        if found is None:
            skip(f"none of {', '.join(interpreters)} can be run by other users, with NumPy, msgpack, packaging and pytest")
        shutil.copytree(ROOT / "autograder", open_folder / "autograder")
        (open_folder / "tests").mkdir()
        for file in (Path(__file__), EVALUATOR):
            shutil.copy(file, open_folder / "tests")
        for path in open_folder.rglob("*"):
            path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o644))
        (open_folder / "home").mkdir(mode=0o777)
        (open_folder / "home").chmod(0o777)
        command = [found, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".", "tests/test_jail.py"]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(open_folder / "home"), "TMPDIR": str(open_folder / "home"), "CI": "true"}
        environment["PYTHONPATH"] = str(open_folder)
        done = subprocess.run(command, cwd=open_folder, env=environment, capture_output=True, text=True, **nobody)
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


def can_run(command: list[str], **user: Any) -> bool:
    """Whether a user may run this, and it succeeds."""
    try:
        return subprocess.run(command, cwd="/", capture_output=True, **user).returncode == 0
    except OSError:
        return False


class TestChoosing:
    def test_a_name_that_is_none_of_ours(self) -> None:
        with pytest.raises(JailUnavailable, match="bubblewrap"):
            choose("chroot")
        assert choose("none") == "none"

    def test_probe_names_both(self) -> None:
        assert [report.name for report in probe()] == ["bubblewrap", "landlock"]

    def test_without_bubblewrap_and_landlock_auto_refuses_and_says_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine, "_quick", lambda kind: machine.JailReport(kind, False, (f"{kind} is broken",)))
        with pytest.raises(JailUnavailable, match="bubblewrap is broken") as refused:
            choose("auto")
        assert "Install bubblewrap" in str(refused.value)

    def test_a_missing_bwrap_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        with Template("bubblewrap", LIMITS, worker=EVALUATOR) as template, pytest.raises(JailUnavailable, match="not installed"):
            template.spawn({}, {})

    def test_none_works_without_walls(self) -> None:
        with Template("none", LIMITS, worker=EVALUATOR) as template, Jailed(template.spawn({"a.py": b"b = 1"}, {})) as jailed:
            assert "unconfined" in template.remarks()[0]
            assert jailed("import a, numpy\nresult = a.b") == 1
            assert jailed.raises("x = bytearray(300 << 20)") == "MemoryError"

    def test_numbers_of_system_calls_agree_with_the_headers(self) -> None:
        headers = {0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), 1: Path("/usr/include/asm-generic/unistd.h")}
        for column, header in headers.items():
            if not header.exists():
                skip("the kernel's headers are not installed")
            lines = [line.split() for line in header.read_text().splitlines() if line.startswith(("#define __NR_", "#define __NR3264_"))]
            known = {parts[1].replace("__NR3264_", "__NR_")[5:]: int(parts[2]) for parts in lines if len(parts) > 2 and parts[2].isdigit()}
            for name, numbers in syscalls.NUMBERS.items():
                if numbers[column] >= 0:
                    assert known[name] == numbers[column], name
                else:
                    assert name not in known or column == 1
