"""The tarball for servers without a Swift toolchain: what is in it, what its installer does there,
and whether the libraries that it names are those that the programs ask for."""

import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HANDBOOK = ROOT / "Sources/GronaCommand/Handbook.docc"
checks = 0


def check(holds, what):
    global checks
    checks += 1
    assert holds, what


def run(*words, **options):
    result = subprocess.run([str(w) for w in words], capture_output=True, timeout=1800, **options)
    check(result.returncode == 0, (words, result.stdout, result.stderr))
    return result.stdout.decode()


def without_swift(folder):
    """A PATH with everything but a toolchain and what builds."""
    place = folder / "path"
    place.mkdir()
    for directory in ("/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        for program in pathlib.Path(directory).iterdir():
            if re.search(r"swift|clang|^ld|^gcc|^cc$|^git$|objdump|readelf|dpkg|^apt", program.name) \
                    and program.name != "ldd":
                continue
            link = place / program.name
            if not link.exists():
                link.symlink_to(program)
    return str(place)


def libraries(program):
    """By the dynamic section alone: what the file itself asks for."""
    text = run("readelf", "-d", program)
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[([^]]+)\]", text))


def main():
    printed = run(ROOT / "scripts/package")
    place = ROOT / printed.splitlines()[0]
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        run("tar", "-C", folder, "-xzf", place)
        (tree,) = folder.iterdir()
        check(place.name == f"{tree.name}.tar.gz", place)
        check({p.name for p in tree.iterdir()} == {"bin", "share", "systemd", "install"}, tree)
        check({p.name for p in (tree / "systemd").iterdir()}
              == {p.name for p in (ROOT / "scripts/systemd").iterdir()}, "units")

        # The libraries: named as the programs name them, and by the packages that have them.
        lines = [line.split() for line in
                 (tree / "share/doc/grona/libraries").read_text().splitlines()]
        needed = libraries(tree / "bin/grona-sign") | libraries(tree / "bin/grona-publish")
        check({name for name, _ in lines} >= {n for n in needed if not n.startswith("ld-")}, lines)
        check({name for name, _ in lines} <= needed, (lines, needed))
        packages = {package for _, package in lines}
        check({"libssl3", "libsodium23", "libcurl4"} <= packages, packages)
        (said,) = [line for line in printed.splitlines() if line.startswith("needs (Debian): ")]
        check(set(said.removeprefix("needs (Debian): ").split()) == packages, said)

        # A server: no toolchain, no checkout, another folder to work in.
        environment = {"PATH": without_swift(folder), "DESTDIR": str(folder / "root"), "HOME": "/"}
        told = run(tree / "install", "--units", "--prefix", "/opt/grona", env=environment, cwd="/")
        check("/opt/grona/bin is not in PATH" in told, told)
        prefix = folder / "root/opt/grona"
        for name in ("grona-sign", "grona-publish"):
            check(run(prefix / "bin" / name, "help", "served.rolled-back").startswith("served."), name)
            check((prefix / "share/man/man1" / f"{name}.1").is_file(), name)
        for name in ("publish", "sign", "as-signer", "alert"):
            program = prefix / "libexec/grona" / name
            check(os.access(program, os.X_OK), name)
            check("/usr/local" not in program.read_text(), name)
        check((prefix / "lib/systemd/system/grona-refresh.timer").is_file(), "no units")
        check((folder / "root/etc/sudoers.d/grona").stat().st_mode & 0o777 == 0o440, "no sudo rules")
        pages = prefix / "share/doc/grona"
        for page in HANDBOOK.glob("*.md"):
            there = (pages / page.name).read_text()
            check("<doc:" not in there and "@Metadata" not in there, page)
            for link in re.findall(r"\]\((\w+\.md)\)", there):
                check((pages / link).is_file(), (page, link))
        # A library that is not there is named, with its package.
        broken = tree / "bin/grona-sign"
        broken.write_bytes(broken.read_bytes().replace(b"libsodium.so.23\0", b"libsodium.so.99\0"))
        (pages / "libraries").unlink()
        (tree / "share/doc/grona/libraries").write_text("libsodium.so.99 libsodium99\n")
        result = subprocess.run([tree / "install", "--prefix", "/opt/grona"], env=environment,
                                capture_output=True, timeout=60)
        check(b"libsodium.so.99 is missing here; on Debian it is in libsodium99" in result.stderr,
              result)
    print(f"{checks} checks; {said}")


main()
