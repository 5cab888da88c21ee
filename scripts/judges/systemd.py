"""The units under a systemd that is PID 1: a machine of its own, with its own kernel and clock.

A small Debian is put together once (.build/machine) and started by QEMU without a network. What
scripts/package makes is installed in it, and the judges of scripts/judges.d/live look at what systemd
does with it, then the machine is switched off and started again twenty days later. QEMU interprets
the machine's code (TCG), so it needs no /dev/kvm; GRONA_ACCELERATOR=kvm is quicker where that is good.

systemd.py [SECTION…]    only these sections, such as `install failures`; install always runs
GRONA_BIN                a folder with the programs, instead of what scripts/package builds
"""

import hashlib
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIVE = ROOT / "scripts/judges.d/live"
MACHINE = ROOT / ".build/machine"
# What runs in the machine beside what Debian has in any case: the libraries of the programs
# (share/doc/grona/libraries), a token, and what the handbook asks of a host.
PACKAGES = ("linux-image-cloud-amd64 initramfs-tools systemd-sysv dbus sudo python3 openssl "
            "softhsm2 libcurl4 libsodium23 libssl3 libstdc++6 ca-certificates")
# One boot has so many seconds; it takes about a tenth of it where nothing else runs.
LIMIT = 1800
AWAY = 20 * 86400


def made(recipe):
    """Kernel, first RAM disk and root of the machine; made anew when what is in it has changed."""
    place = MACHINE / hashlib.sha256(recipe.encode()).hexdigest()[:16]
    if (place / "root.ext4").exists():
        return place
    shutil.rmtree(MACHINE, ignore_errors=True)
    MACHINE.mkdir(parents=True)
    print("puts the machine together, once", flush=True)
    with tempfile.TemporaryDirectory(dir=MACHINE) as folder:
        root, work = pathlib.Path(folder) / "root", pathlib.Path(folder) / "made"
        work.mkdir()
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "--format=directory",
                        "--dpkgopt=path-exclude=/usr/share/man/*",
                        "--dpkgopt=path-exclude=/usr/share/locale/*",
                        f"--include={','.join(PACKAGES.split())}", "bookworm", str(root)],
                       check=True, timeout=1800)
        unit = root / "etc/systemd/system/judge.service"
        unit.write_text((LIVE / "judge.service").read_text())
        wanted = root / "etc/systemd/system/multi-user.target.wants"
        (wanted / unit.name).symlink_to(f"../{unit.name}")
        (root / "etc/hostname").write_text("shop\n")
        for name, pattern in (("kernel", "vmlinuz-*"), ("initrd", "initrd.img-*")):
            shutil.copy(next((root / "boot").glob(pattern)), work / name)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), str(work / "root.ext4"), "2G"],
                       check=True, timeout=300)
        work.rename(place)
    return place


def job(work, words):
    """What the machine is to do, as a tar archive on its second disk."""
    folder = work / "job"
    if "GRONA_BIN" in os.environ:
        package = folder / "grona"
        for name in ("grona-sign", "grona-publish"):
            (package / "bin").mkdir(parents=True, exist_ok=True)
            shutil.copy(pathlib.Path(os.environ["GRONA_BIN"]) / name, package / "bin")
        shutil.copy(ROOT / "scripts/install", package)
        shutil.copytree(ROOT / "scripts/systemd", package / "systemd")
        pages = package / "share/doc/grona"
        shutil.copytree(ROOT / "Sources/GronaCommand/Handbook.docc", pages)
        (pages / "libraries").write_text("")
    else:
        told = subprocess.run([str(ROOT / "scripts/package")], check=True, stdout=subprocess.PIPE,
                              timeout=3600).stdout.decode().splitlines()
        folder.mkdir()
        subprocess.run(["tar", "-C", str(folder), "-xf", str(ROOT / told[-2])], check=True)
        next(folder.glob("grona-*")).rename(folder / "grona")
    shutil.copytree(LIVE, folder / "live", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "sections").write_text(" ".join(words))
    archive = work / "job.tar"
    subprocess.run(["tar", "-C", str(folder), "--owner=0", "--group=0", "-cf", str(archive), "."],
                   check=True)
    return archive


def boot(work, image, archive, clock):
    """One life of the machine. Its second serial line is what the judges in it say."""
    accelerator = os.environ.get("GRONA_ACCELERATOR", "tcg")
    words = ["qemu-system-x86_64", "-machine", "q35", "-accel", accelerator, "-cpu", "max", "-m",
             "1024",
             "-smp", "2", "-nodefaults", "-display", "none", "-no-reboot", "-kernel", image / "kernel",
             "-initrd", image / "initrd", "-append",
             "root=/dev/vda rw console=ttyS0 quiet panic=1 mitigations=off",
             "-rtc", "base=" + time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(clock)),
             "-serial", f"file:{work / 'console'}", "-serial", "stdio",
             "-drive", f"file={work / 'root.ext4'},format=raw,if=virtio,cache=unsafe",
             "-drive", f"file={archive},format=raw,if=virtio,read-only=on"]
    machine = subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
    until, said = time.monotonic() + LIMIT, b""
    try:
        while (left := until - time.monotonic()) > 0:
            if not select.select([machine.stdout], [], [], left)[0]:
                break
            if not (more := os.read(machine.stdout.fileno(), 65536)):
                break
            sys.stdout.buffer.write(more)
            sys.stdout.flush()
            said += more
    finally:
        machine.kill()
        machine.wait()
    last = said.decode(errors="replace").split("\n")
    results = [line for line in last if line.startswith("RESULT ")]
    if not results:
        print((work / "console").read_text(errors="replace")[-3000:])
        sys.exit("the machine did not come to its end")
    _, passed, failed, now = results[-1].split()
    return int(passed), int(failed), int(now)


def main():
    started = time.monotonic()
    # The machine is ended, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    assert os.geteuid() == 0, "run as root: a whole file system is made"
    recipe = PACKAGES + (LIVE / "judge.service").read_text()
    image = made(recipe)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        subprocess.run(["cp", "--sparse=always", str(image / "root.ext4"), folder], check=True)
        archive = job(work, sys.argv[1:])
        passed, failed, clock = boot(work, image, archive, time.time())
        if "reboot" in sys.argv[1:] or not sys.argv[1:]:
            # Twelve minutes past, so that the timer's next full time is far away.
            later = (clock + AWAY) // 3600 * 3600 + 3600 + 720
            more, wrong, _ = boot(work, image, archive, later)
            passed, failed = passed + more, failed + wrong
    print(f"{passed} checks, {failed} failed, {time.monotonic() - started:.0f} s")
    sys.exit(1 if failed else 0)


main()
