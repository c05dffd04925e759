"""Worker processes, which end with the run that began them, whatever ends it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import FrameType
from typing import TypeVar

from phiscrub.core.errors import OutputError

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")
Done = TypeVar("Done")

GRACE = 1.0  # seconds in which a worker may hand over what it has done
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def in_parallel(
    batches: Iterable[tuple[T, S]],
    workers: int,
    start: Callable[[R], None],
    recipe: R,
    work: Callable[[S], Done],
) -> Iterator[tuple[T, Done]]:
    """Yield batches in order, each worked on by one of several processes begun with `start`.

    One is yielded as soon as it is done and those before it are, where that is found out: at the
    next batch.

    Workers hold one end of a pipe. The other end closes with this process, even where that is
    killed, or before, where the run ends with an error or a signal; then they end too. Raises
    `OutputError` where one dies by itself.
    """
    context = get_context("spawn")
    tether, end = context.Pipe(duplex=False)
    with (
        tether,
        end,
        ProcessPoolExecutor(workers, context, _begin, (tether, start, recipe)) as pool,
    ):
        waiting: deque[tuple[T, Future[Done]]] = deque()
        try:
            with _closed_by_signals(end):
                for companion, given in batches:
                    with _signals_held():
                        waiting.append((companion, pool.submit(_worked, work, given)))
                    while waiting and (waiting[0][1].done() or len(waiting) >= 2 * workers):
                        first, future = waiting.popleft()
                        yield first, future.result()
                while waiting:
                    first, future = waiting.popleft()
                    yield first, future.result()
        except BrokenProcessPool:
            raise OutputError(
                "a worker process died, perhaps for want of memory",
                hint="run again with fewer --workers",
            ) from None
        finally:
            end.close()  # what is still worked on is wanted no more


@contextmanager
def _closed_by_signals(end: Connection) -> Iterator[None]:
    """Have the signals that end the run close a pipe first: the run may be anywhere by then."""
    before = {sign: signal.getsignal(sign) for sign in SIGNALS}

    def stop(sign: int, frame: FrameType | None) -> None:
        end.close()
        handler = before[signal.Signals(sign)]
        if callable(handler):
            handler(sign, frame)

    is_main = threading.current_thread() is threading.main_thread()
    heard = [sign for sign, handler in before.items() if is_main and callable(handler)]
    for sign in heard:
        signal.signal(sign, stop)
    try:
        yield
    finally:
        for sign in heard:
            signal.signal(sign, before[sign])


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold Ctrl-C back while a worker may be begun, which is then deaf to it from the start."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Leash:
    """What ends a worker: at once while it works, else when it has handed over what it did.

    A worker that ended half way through handing over would leave the run waiting for the rest.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_working = self._is_over = False

    def __enter__(self) -> None:
        with self._lock:
            self._is_working = True
            if self._is_over:
                os._exit(1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_working = False

    def follow(self, tether: Connection) -> None:
        """Wait till the other end of a pipe is closed, and end the process."""
        with suppress(EOFError, OSError):
            tether.recv_bytes()
        with self._lock:
            self._is_over = True
            if self._is_working:
                os._exit(1)
        time.sleep(GRACE)
        os._exit(1)


_leash = _Leash()  # of this worker process


def _begin(tether: Connection, start: Callable[[R], None], recipe: R) -> None:
    for sign in SIGNALS:  # of the run's whole group: it is the run that ends its workers
        signal.signal(sign, signal.SIG_IGN)
    threading.Thread(target=_leash.follow, args=(tether,), daemon=True).start()
    with _leash:
        start(recipe)


def _worked(work: Callable[[S], Done], given: S) -> Done:
    with _leash:
        return work(given)
