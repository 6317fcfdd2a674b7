"""Grades on a running Dask cluster: `connect` looks at its workers and gives the `ClusterCrew` that hands the batch's jobs to them.

The command line calls `connect` where there is a --scheduler. Scheduling, and trying again what was on a worker that died, is
Dask's. What Dask cannot know is here: which workers can grade as this machine would. What runs there is in dask_worker.py.
"""

from __future__ import annotations

import logging
import math
import queue
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, TypeVar

import dask
from distributed import Client, Future, KilledWorker

from autograder.arguments import Unusable
from autograder.crew import Stopped, fault
from autograder.dask_worker import difference, grade_there, kept_messages, look, pack
from autograder.language import say
from autograder.ledger import this_kit
from autograder.limits import DEFAULT
from autograder.pool import Job
from autograder.reports.model import Report

CONNECT_SECONDS = 15
SECONDS_BETWEEN_LOOKS = 2.0  # at which workers there are
SECONDS_BETWEEN_STEPS = 0.1
PATIENCE_SECONDS = 120.0  # with workers that refuse alone; others may be about to start again
MOST_LOST = 1  # times that a job is sent anew after it was cancelled
MOST_KEPT = 50_000  # messages of some 20 KiB that a scheduler may hold without a word from us
NAMED = 5  # workers in one message

T = TypeVar("T")


@dataclass(frozen=True)
class Sent:
    """A job that the scheduler has. allowed: the workers that may have it; None for all."""

    job: Job
    size: int = 0
    allowed: frozenset[str] | None = None
    alone: bool = False  # when nothing else is under way, since it was on too many workers when they died
    lost: int = 0  # how often it was cancelled, because all who were allowed to have it are gone, or by somebody else


def connect(address: str, jail: str) -> ClusterCrew:
    """The crew of the cluster whose scheduler is at `address`. jail: one of the command line's, "auto" too; waits for a first worker.

    Raises Unusable where no scheduler answers, or no worker has the jail and the same kit.
    """
    # A submission may be large. Of the last messages, whole jobs, that a connection keeps for debugging, a few will do.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB", "distributed.admin.low-level-log-length": 10})
    for noisy in ("asyncio", "distributed.client"):  # what Dask has to say when a worker dies, tracebacks too
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:
        raise Unusable(
            say(
                f"--scheduler {address}: no Dask scheduler answers there ({error})",
                f"--scheduler {address}：没有 Dask 调度器应答（{error}）",
            )
        ) from None
    try:
        if not client.nthreads():
            tell(say("The cluster has no worker yet; waiting for one.", "集群中还没有 worker，正在等待。"))
            client.submit(int, pure=False).result()  # as a task, which lets a cluster that grows on demand begin to
        found = client.run(look(), jail, on_error="return")
        name, refusals = judge(found)
        if name is None:
            raise Unusable(
                say(f"--scheduler {address}: no worker there can grade.\n", f"--scheduler {address}：那里没有能评分的 worker。\n")
                + "\n".join(listed(refusals))
            )
        crew = ClusterCrew(client, name, refusals)
        for line in listed(refusals):
            tell(line)
        if any(threads > 1 for threads in crew.threads.values()):
            tell(
                say(
                    "Some workers have several threads, and each process grades one submission at a time: start them with --nthreads 1.",
                    "有的 worker 有多个线程，而每个进程同时只评一份提交：请用 --nthreads 1 启动。",
                )
            )
        if client.run_on_scheduler(kept_messages()) * len(crew.threads) > MOST_KEPT:
            tell(
                say(
                    "The scheduler keeps the last messages to each worker, each with a submission, and with so many workers that is much "
                    "memory: start it with DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH=10 in its environment.",
                    "调度器会保留发给每个 worker 的最近消息，每条都含一份提交；worker 这么多时会占用大量内存："
                    "请在其环境中设置 DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH=10 后启动。",
                )
            )
        return crew
    except BaseException:
        client.close()
        raise


def tell(line: str) -> None:
    """A line for the instructor, beside the progress."""
    print(line, file=sys.stderr, flush=True)


def judge(found: Mapping[str, Any]) -> tuple[str | None, dict[str, str]]:
    """The jail to use, None where no worker can grade, and the workers that are left out, each with the reason.

    found: by worker what it said of itself, or the exception that came of asking.
    """
    kit = astuple(this_kit())
    refusals: dict[str, str] = {}
    jails: dict[str, str] = {}
    for worker, told in found.items():
        if isinstance(told, Exception):
            refusals[worker] = f"{type(told).__name__}: {told}"
        elif told["kit"] != kit:
            refusals[worker] = f"{told['host']}: {difference(told['kit'], kit)}"
        elif told["jail"] is None:
            refusals[worker] = f"{told['host']}: {told['why']}"
        else:
            jails[worker] = told["jail"]
    name = next((name for name in ("bubblewrap", "landlock", "none") if name in jails.values()), None)
    for worker, jail in jails.items():
        if jail != name:
            refusals[worker] = say(
                f"{found[worker]['host']} has the jail {jail} only, and others have {name}; --jail {jail} would use all of them",
                f"{found[worker]['host']} 只有隔离方式 {jail}，其他 worker 有 {name}；用 --jail {jail} 可使用全部 worker",
            )
    return name, refusals


def listed(refusals: Mapping[str, str]) -> list[str]:
    """A line for each reason why workers are left out, with the first of them."""
    by_reason: dict[str, list[str]] = {}
    for worker, why in refusals.items():
        by_reason.setdefault(why, []).append(worker)
    lines = []
    for why, workers in by_reason.items():
        named = ", ".join(workers[:NAMED]) + (", …" if len(workers) > NAMED else "")
        lines.append(
            say(f"{len(workers)} worker(s) left out ({named}): {why}", f"{len(workers)} 个 worker 不参与评分（{named}）：{why}"),
        )
    return lines


class ClusterCrew:
    """The workers of a Dask cluster, as a crew of the batch.

    jail: the one they have. refusals: by address the workers that do not grade, and why. threads: by address those that are there.
    """

    def __init__(self, client: Client, jail: str, refusals: dict[str, str]):
        self.client, self.jail, self.refusals = client, jail, refusals
        self.function, self.kit = grade_there(), astuple(this_kit())
        self.to_send: deque[Sent] = deque()
        self.sent: dict[Future, Sent] = {}
        self.suspects: deque[Sent] = deque()
        self.bytes = 0
        self.events: queue.SimpleQueue[tuple[Future, Any]] = queue.SimpleQueue()
        self.threads: dict[str, int] = {}
        self.looked = 0.0
        self.lonely_since = 0.0
        self.connection = client.scheduler_comm
        self._look()

    @property
    def busy(self) -> int:
        return len(self.to_send) + len(self.sent) + len(self.suspects)

    @property
    def has_room(self) -> bool:
        ahead = DEFAULT.cluster_jobs_each * max(1, len(self._able()))
        return not self.to_send and len(self.sent) < ahead and self.bytes < DEFAULT.cluster_bytes

    def take(self, job: Job) -> None:
        self.to_send.append(Sent(job))
        self._step()

    def ready(self, seconds: float | None) -> Iterator[tuple[Job, Report]]:
        until = math.inf if seconds is None else time.monotonic() + seconds
        done: dict[Future, Any] = {}
        while not done and self.busy and time.monotonic() < until:
            self._step()
            done = self._done()
        for future, result in done.items():
            if future.status in ("finished", "pending") and result is None:  # it went down with its worker, and is graded again
                self._follow(future)
                continue
            sent = self._taken_off(future)
            if isinstance(result, Report):
                yield sent.job, result
            elif isinstance(result, tuple):
                kind, worker, why = result
                if kind == "refused":
                    self._leave_out(worker, why)
                    self.to_send.append(sent)
                else:
                    yield sent.job, fault(sent.job, why)
            elif future.status == "cancelled" and sent.lost < MOST_LOST:
                self.to_send.append(replace(sent, lost=sent.lost + 1))
            elif future.status == "error" and not isinstance(error := future.exception(), KilledWorker):
                yield sent.job, fault(sent.job, f"{type(error).__name__}: {error}")
            elif not sent.alone:
                self.suspects.append(Sent(sent.job, alone=True))
            else:
                yield sent.job, fault(sent.job, say("the workers that were at it died", "评它的 worker 都终止了"))

    def close(self) -> None:
        try:
            if self.sent and self.client.status == "running":
                self.client.cancel(list(self.sent), force=True)
        except Exception:  # what is left there Dask clears away when the client is gone
            pass
        self.sent.clear()
        self.client.close(timeout=CONNECT_SECONDS)

    def _step(self) -> None:
        """What is to be done while others work: look who is there, and send what is to be sent."""
        # A client that connects anew has forgotten what it sent; a run that begins anew has not.
        if self.client.status != "running" or self.client.scheduler_comm is not self.connection:
            raise self._no_answer("")
        if time.monotonic() - self.looked > SECONDS_BETWEEN_LOOKS:
            self._look()
        while self.to_send and (self._able() or not self.threads):  # for nobody too: a cluster that grows on demand has to see it
            self._submit(self.to_send.popleft())
        if self.suspects and not self.sent and not self.to_send:
            self._submit(self.suspects.popleft())

    def _submit(self, sent: Sent) -> None:
        packed = pack(sent.job)
        # Named only where there are some to leave out: the names go with every job.
        allowed = frozenset(self._able()) if self.refusals.keys() & self.threads.keys() else None
        workers = None if allowed is None else sorted(allowed)
        future = self._ask(lambda: self.client.submit(self.function, packed, self.kit, pure=False, workers=workers))
        self.sent[future] = replace(sent, size=len(packed), allowed=allowed)
        self.bytes += len(packed)
        self._follow(future)

    def _follow(self, future: Future) -> None:
        """Have what comes of it put among the events, with its result: by Dask's own thread, which asks for many at a time."""

        async def follow() -> None:
            try:
                found = await self.client.gather([future], errors="skip", asynchronous=True)
            except Exception:  # the connection broke, say; the status tells
                found = []
            self.events.put((future, found[0] if found else None))

        self.client.loop.add_callback(follow)

    def _taken_off(self, future: Future) -> Sent:
        sent = self.sent.pop(future)
        self.bytes -= sent.size
        return sent

    def _done(self) -> dict[Future, Any]:
        """What has ended, in whatever way, with its result where it has one; waits a moment for it."""
        done: dict[Future, Any] = {}
        try:
            done.update([self.events.get(timeout=SECONDS_BETWEEN_STEPS)])
            while True:
                done.update([self.events.get_nowait()])
        except queue.Empty:
            return {future: result for future, result in done.items() if future in self.sent}

    def _look(self) -> None:
        """See which workers there are."""
        self.threads = dict(self._ask(self.client.nthreads))
        self.looked = time.monotonic()
        # Dask would wait for ever for workers of the names of those that are gone.
        stuck = [future for future, sent in self.sent.items() if sent.allowed is not None and not sent.allowed & self.threads.keys()]
        if stuck:
            self._ask(lambda: self.client.cancel(stuck))
        if self._able():
            self.lonely_since = 0.0
        elif not self.lonely_since:
            self.lonely_since = self.looked
            tell(say("The cluster has no worker now that can grade; waiting for one.", "集群中现在没有能评分的 worker，正在等待。"))
        elif self.threads and self.looked - self.lonely_since > PATIENCE_SECONDS:
            left_out = {worker: why for worker, why in self.refusals.items() if worker in self.threads}
            raise Stopped(
                say("No worker of the cluster can grade any more.\n", "集群中已没有能评分的 worker。\n") + "\n".join(listed(left_out))
            )

    def _able(self) -> list[str]:
        return [worker for worker in self.threads if worker not in self.refusals]

    def _leave_out(self, worker: str, why: str) -> None:
        if worker not in self.refusals:
            self.refusals[worker] = why
            for line in listed({worker: why}):
                tell(line)
        self.looked = 0.0

    def _ask(self, question: Callable[[], T]) -> T:
        """The answer of the scheduler; Stopped where there is none any more."""
        try:
            return question()
        except OSError as error:
            raise self._no_answer(f" ({error})") from error

    def _no_answer(self, why: str) -> Stopped:
        return Stopped(
            say(
                f"The connection to the Dask scheduler broke{why}. What has been graded is kept: run the same command again to go on.",
                f"与 Dask 调度器的连接已中断{why}。已评分的结果都已保存：请重新运行同一命令以继续。",
            )
        )
