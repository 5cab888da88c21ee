"""Runs every command of grona-sign under strace: none makes a call of the network.

Works on a copy of what `scripts/demo --keep DIR` made, named by GRONA_DEMO; makes it where that is
not set. Whether a command succeeds does not matter here, only what it asks the kernel for.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/dist/grona-sign"
# One run a command at least; {} stands for the folder.
RUNS = [
    "init new-shop", "check campaigns/acme-market", "check",
    "renew version-2.json -o renewed.json", "renew --batch",
    "bundle version-2.json -o bundled.json", "bundle --batch",
    "restore version-1.json --served version-2.json -o restored.json", "restore --batch",
    "config campaigns/acme-market --after version-2.json --enable weekend-offer --dry-run",
    "config campaigns/acme-market --version 9 --enable weekend-offer -o next.json",
    "grant version-1.json --campaign weekend-offer --variant B --sub cus_7Hq2Lm9x",
    "preview version-1.json --campaign weekend-offer --variant B",
    "verify version-2.json --pins pins.json", "verify version-2.json",
    "verify --grant - --pins pins.json", "inspect version-2.json",
    "keys list --workspace acme-market", "keys check --workspace acme-market",
    "keys show --workspace acme-market acme-market-2026-10",
    "keys pins --workspace acme-market --format swift",
    "keys generate --workspace acme-market --use config --kid acme-market-2026-12 "
    "--signer file:acme-market-2026-12.pem",
    "keys import --workspace acme-market --use config --kid acme-market-2027-01 "
    "--signer file:acme-market-2026-12.pem",
    "audit show --workspace acme-market", "audit verify --workspace acme-market",
    "audit adopt version-1.json --reason none",
    "audit withdraw acme-market 9 --reason none",
    "settings", "help", "completions bash", "man", "--version",
]


def commands():
    """Every command of the program, as its own completions know them."""
    script = subprocess.run([PROGRAM, "completions", "bash"], capture_output=True, text=True,
                            check=True).stdout
    places = re.findall(r"^    '((?: [a-z-]+)*)'\)\n        commands='([^']*)'", script, re.M)
    return {path.strip() for path, below in places if path and not below}


def main():
    untried = {name for name in commands()
               if not any(run == name or run.startswith(name + " ") for run in RUNS)}
    assert not untried, f"no run for {sorted(untried)}"
    with tempfile.TemporaryDirectory() as folder:
        kept = os.environ.get("GRONA_DEMO")
        here = pathlib.Path(folder) / "demo"
        if kept:
            shutil.copytree(kept, here)
        else:
            subprocess.run([ROOT / "scripts/demo", "--keep", here], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "GRONA_STATE": str(here / "state")}
        done = 0
        for run in RUNS:
            trace = pathlib.Path(folder) / "trace"
            result = subprocess.run(
                ["strace", "-f", "-qq", "-e", "trace=%network", "-e", "signal=none", "-o", trace,
                 PROGRAM, *run.split()],
                cwd=here, env=environment, input=b"", capture_output=True)
            calls = trace.read_text().strip()
            assert not calls, (run, calls)
            assert 0 <= result.returncode < 128, (run, result.returncode, result.stderr)
            done += result.returncode == 0
            if result.returncode:
                print(f"{result.returncode}: {run}")
        # A trace that sees nothing would please everybody.
        subprocess.run(["strace", "-f", "-qq", "-e", "trace=%network", "-o", trace, sys.executable,
                        "-c", "import socket; socket.socket(socket.AF_UNIX)"], check=True)
        assert "socket(" in trace.read_text()
        assert done * 4 >= len(RUNS) * 3, f"only {done} of {len(RUNS)} runs succeeded"
        print(f"{len(RUNS)} runs of {len(commands())} commands, {done} to success: no network call")


main()
