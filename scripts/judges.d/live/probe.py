#!/usr/bin/python3
"""Run as a part of a unit: writes down what can be done inside of its walls."""

import ctypes
import errno
import json
import mmap
import os
import pathlib
import re
import resource
import socket
import sys


def tried(action):
    try:
        value = action()
        return "ok" if value is None else value
    except OSError as error:
        return errno.errorcode[error.errno]


def write(path):
    return tried(lambda: pathlib.Path(path).write_text("x") and None)


def read(path):
    place = pathlib.Path(path)
    return tried(lambda: (os.listdir(place) if place.is_dir() else place.read_bytes()) and None)


def connect(family, address):
    def action():
        with socket.socket(family) as one:
            one.settimeout(5)
            one.connect(address)
    return tried(action)


def unix():
    socket.socket(socket.AF_UNIX).close()


libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    return "ok" if getattr(libc, name)(*arguments) == 0 else errno.errorcode[ctypes.get_errno()]


def executable():
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


text = pathlib.Path("/proc/self/status").read_text()
umask = os.umask(0o77)
given = os.environ.get("CREDENTIALS_DIRECTORY")
seen = {
    "interfaces": sorted(re.findall(r"^\s*(\w+):", pathlib.Path("/proc/self/net/dev").read_text(),
                                    re.M)),
    "connect": connect(socket.AF_INET, ("127.0.0.1", 8080)),
    "unix": tried(unix),
    "keys": read("/etc/grona/keys/acme-market"),
    "state": read("/var/lib/grona-signer"),
    "secrets": read("/etc/grona/signer"),
    "signer_credentials": read("/run/credentials/grona-sign-renew@0.service"),
    "write_etc": write("/etc/grona-probe"),
    "write_usr": write("/usr/local/probe"),
    "write_var": write("/var/lib/probe"),
    "write_keys": write("/etc/grona/keys/probe"),
    "write_other": write("/var/lib/grona/x" if "signer" in sys.argv[1] else "/var/lib/grona-signer/x"),
    "user_namespace": call("unshare", 0x10000000),
    "mount": call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "executable_memory": tried(executable),
    "status": {name: re.search(rf"^{name}:\s*(\S+)", text, re.M)[1]
               for name in ("NoNewPrivs", "Seccomp", "CapEff", "CapBnd")},
    "devices": read("/dev/vda"),
    "home": tried(lambda: os.listdir("/home")),
    "temporary": tried(lambda: os.listdir("/tmp")),
    # Of other users; those of the unit itself are shown.
    "others": [p for p in os.listdir("/proc")
               if p.isdigit() and os.stat(f"/proc/{p}").st_uid != os.getuid()],
    "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
    "umask": oct(umask),
    "credentials": sorted(os.listdir(given)) if given else [],
}
pathlib.Path(sys.argv[1]).write_text(json.dumps(seen))
