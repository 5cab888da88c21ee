"""What the judges in the machine share: checks, programs, the clock, units and their journal."""

import json
import os
import pathlib
import subprocess
import time

LINE = open("/dev/ttyS1", "w", encoding="utf-8", buffering=1)
STATE = pathlib.Path("/var/lib/judge")
passed = 0


class Wrong(Exception):
    """A check that does not hold."""


def say(text):
    LINE.write(text.replace("\n", "\n      ") + "\n")


def check(holds, text, seen=""):
    """One claim in words; `seen` is told where it does not hold."""
    global passed
    if not holds:
        raise Wrong(f"{text}: {seen}" if seen != "" else text)
    passed += 1
    say(f"  ok  {text}")


def run(*words, **options):
    options.setdefault("env", {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"})
    options.setdefault("timeout", 120)
    if isinstance(options.get("input"), str):
        options["input"] = options["input"].encode()
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    result = subprocess.run([str(w) for w in words], capture_output=True, **options)
    result.out = result.stdout.decode(errors="replace")
    result.err = result.stderr.decode(errors="replace")
    return result


def done(*words, **options):
    """A program that has to end with 0."""
    result = run(*words, **options)
    if result.returncode != 0:
        raise Wrong(f"{words} ended with {result.returncode}: {result.out}{result.err}")
    return result


def show(unit, *names):
    """Properties of a unit, as systemctl has them."""
    lines = done("systemctl", "show", unit, *(f"--property={n}" for n in names)).out.splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return values[names[0]] if len(names) == 1 else values


def wait(test, what, seconds=60):
    """Until something is so; what it was then."""
    until = time.monotonic() + seconds
    while True:
        if value := test():
            return value
        if time.monotonic() > until:
            raise Wrong(f"not within {seconds} s: {what}")
        time.sleep(0.1)


def move_clock(seconds):
    """The machine's clock, ahead by so much."""
    time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)


def cursor():
    """The end of the journal, to read on from there."""
    done("journalctl", "--sync")
    return done("journalctl", "-q", "-n", "0", "--show-cursor").out.split("cursor: ")[-1].strip()


def journal(since, *unit):
    """Records since then, of a unit and of what systemd says about it."""
    done("journalctl", "--sync")
    words = [f"--unit={u}" for u in unit]
    text = done("journalctl", "-q", "-o", "json", f"--after-cursor={since}", *words).out
    return [json.loads(line) for line in text.splitlines()]


def words_of(records):
    return "\n".join(str(r.get("MESSAGE")) for r in records)


def started(unit, *more):
    """Starts a unit and waits for its end: the status of its main process, and systemd's result."""
    run("systemctl", "start", *more, unit, timeout=300)
    values = show(unit, "ExecMainStatus", "Result", "ActiveState")
    return int(values["ExecMainStatus"]), values["Result"], values["ActiveState"]


def drop_in(unit, name, text=None):
    """Puts a drop-in there, or takes it away."""
    place = pathlib.Path(f"/run/systemd/system/{unit}.d/{name}.conf")
    if text is None:
        place.unlink()
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    done("systemctl", "daemon-reload")


def processes(name):
    """Ids of the processes whose program is called so."""
    found = []
    for place in pathlib.Path("/proc").iterdir():
        try:
            if place.name.isdigit() and os.path.basename(os.readlink(place / "exe")) == name:
                found.append(int(place.name))
        except OSError:
            continue
    return found
