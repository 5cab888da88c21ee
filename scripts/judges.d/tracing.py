"""Finds the system calls of a program that write or send, with strace."""

import collections
import pathlib
import re

import publishing

SENDING = ["sendto", "sendmsg", "sendmmsg"]
CALLS = SENDING + [
    "write", "pwrite64", "writev", "pwritev", "pwritev2", "rename", "renameat", "renameat2",
    "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "rmdir", "open", "openat",
    "openat2", "creat", "fsync", "fdatasync", "sync_file_range", "mkdir", "mkdirat", "chmod",
    "fchmod", "fchmodat", "chown", "fchown", "fchownat", "utimensat", "futimesat", "truncate",
    "ftruncate", "fallocate", "copy_file_range", "sendfile", "setxattr", "fsetxattr",
]
OPENING = {"open", "openat", "openat2", "creat"}
CREATING = re.compile(r"O_CREAT|O_TMPFILE|O_TRUNC")


def traced(command, folder, *options):
    """Runs a command below strace; this process alone is traced, not the signer it calls."""
    return publishing.run(["strace", "-o", str(folder / "trace"), *options, *command])


def points(command, folder):
    """Every (name, number) of a call that writes, from a run that nobody disturbs."""
    result = traced(command, folder, "-e", "trace=" + ",".join(f"?{c}" for c in CALLS))
    assert result.returncode == 0, result.stderr.decode()
    return found(folder / "trace")


def found(trace):
    """Every (name, number) of a call that writes or sends, in what strace wrote down."""
    seen = collections.Counter()
    found = []
    for line in pathlib.Path(trace).read_text(errors="replace").splitlines():
        match = re.match(r"(\w+)\(", line)
        if not match or match[1] not in CALLS:
            continue
        seen[match[1]] += 1
        if match[1] not in OPENING or CREATING.search(line):
            found.append((match[1], seen[match[1]]))
    return found
