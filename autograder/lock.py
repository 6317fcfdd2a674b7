"""One run at a time writes into an output folder: a lock that ends with its process, however that ends. The batch holds it."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from autograder.arguments import Unusable
from autograder.language import say

if sys.platform != "win32":
    import fcntl


@contextmanager
def alone_in(out: Path, state: Path) -> Iterator[None]:
    """While this block runs no other run may write into `out`. state: the folder of the kit's own in it. Raises Unusable."""
    with _opened(out, state / "lock") as file:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                who = file.read().strip()
                raise Unusable(
                    say(
                        f"--out {out}: another run is writing there ({who}); wait until it has ended, or name another folder",
                        f"--out {out}：另一次运行正在写入（{who}）；请等它结束，或换一个文件夹",
                    )
                ) from None
            except OSError:  # a file system without locks: nothing keeps two runs apart there but whoever starts them
                pass
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


def _opened(out: Path, path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "a+", encoding="utf-8")
    except OSError as error:
        raise Unusable(say(f"--out {out}: cannot be written ({error})", f"--out {out}：无法写入（{error}）")) from None
