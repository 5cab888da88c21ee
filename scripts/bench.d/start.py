"""Size of both programs, and their start-up beside openssl and curl.

Called by `scripts/bench start`; see there.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

DIST = pathlib.Path(__file__).resolve().parents[2] / ".build/dist"
PAIRS = [("grona-sign", ["openssl", "version"]), ("grona-publish", ["curl", "--version"])]
ROUNDS = 101
GOAL = 1.3
SIZE = 9_000_000


def milliseconds(command):
    """Start to exit, on the wall."""
    begin = time.perf_counter_ns()
    process = os.posix_spawnp(
        command[0], command, os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status = os.waitpid(process, 0)
    spent = time.perf_counter_ns() - begin
    if status != 0:
        sys.exit(f"bench: {command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return spent / 1e6


def main():
    missed = False
    print(f"{'program':14} {'bytes':>9}  {'start':>9} {'peer':>16}  ratio (goal {GOAL})")
    for name, peer in PAIRS:
        program = str(DIST / name)
        size = os.stat(program).st_size
        times = ([], [])
        for round in range(ROUNDS + 5):
            for command, list in zip(([program, "--version"], peer), times):
                spent = milliseconds(command)
                if round >= 5:
                    list.append(spent)
        ours, theirs = map(statistics.median, times)
        ratio = statistics.median(a / b for a, b in zip(*times))
        missed = missed or ratio > GOAL or size >= SIZE
        print(f"{name:14} {size:9}  {ours:6.2f} ms {peer[0]:>7} {theirs:5.2f} ms  {ratio:5.2f}")
    sys.exit(1 if missed else 0)


main()
