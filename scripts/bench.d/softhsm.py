"""A SoftHSM token with as many keys as a fleet has, filled in one session.

`softhsm2-util --import` reads the whole token for each key that it puts in.
"""

import ctypes
import os
import subprocess
import sys

P256 = bytes.fromhex("06082a8648ce3d030107")
# PKCS#11 v2.40: object classes, types of attributes, the user, flags of a session.
PUBLIC, PRIVATE, EC, USER, SERIAL_WRITABLE = 2, 3, 3, 1, 6
CLASS, ON_TOKEN, IS_PRIVATE, LABEL, VALUE, KEY_TYPE, ID = 0, 1, 2, 3, 0x11, 0x100, 0x102
SENSITIVE, SIGN, VERIFY, EXTRACTABLE, PARAMETERS, POINT = 0x103, 0x108, 0x10A, 0x162, 0x180, 0x181


class Attribute(ctypes.Structure):
    _fields_ = [("type", ctypes.c_ulong), ("value", ctypes.c_char_p), ("count", ctypes.c_ulong)]


def number(value):
    return bytes(ctypes.c_ulong(value))


class Token:
    """A token named `bench`; open until `close` is called."""

    MODULE = "/usr/lib/softhsm/libsofthsm2.so"

    def __init__(self, folder):
        (folder / "tokens").mkdir()
        self.configuration = folder / "softhsm2.conf"
        self.configuration.write_text(
            f"directories.tokendir = {folder}/tokens\nobjectstore.backend = file\n"
            "log.level = ERROR\n")
        self.pin = folder / "pin"
        self.pin.write_text("1234")
        self.pin.chmod(0o600)
        subprocess.run(
            ["softhsm2-util", "--init-token", "--free", "--label", "bench", "--so-pin", "1234",
             "--pin", "1234"], check=True, stdout=subprocess.DEVNULL,
            env={"PATH": "/usr/bin:/bin", "SOFTHSM2_CONF": str(self.configuration)})
        self.open()

    def open(self):
        os.environ["SOFTHSM2_CONF"] = str(self.configuration)
        self.module = ctypes.CDLL(self.MODULE)
        self.call("C_Initialize", None)
        slots, count = (ctypes.c_ulong * 8)(), ctypes.c_ulong(8)
        self.call("C_GetSlotList", 1, slots, ctypes.byref(count))
        self.session = ctypes.c_ulong()
        # The initialised token comes before the slot for the next one.
        self.call("C_OpenSession", ctypes.c_ulong(slots[0]), ctypes.c_ulong(SERIAL_WRITABLE), None,
                  None, ctypes.byref(self.session))
        self.call("C_Login", self.session, ctypes.c_ulong(USER), b"1234", ctypes.c_ulong(4))

    def call(self, function, *arguments):
        code = getattr(self.module, function)(*arguments)
        if code:
            raise OSError(f"{function}: {code:#x}")

    def create(self, attributes):
        template = (Attribute * len(attributes))(
            *(Attribute(type, value, len(value)) for type, value in attributes))
        handle = ctypes.c_ulong()
        self.call("C_CreateObject", self.session, template, ctypes.c_ulong(len(attributes)),
                  ctypes.byref(handle))

    def take(self, key, kid, place):
        """Puts both halves of a key into the token; answers how the signer is to call it."""
        numbers = key.private_numbers()
        point = b"\x04\x41\x04" + b"".join(
            n.to_bytes(32, "big") for n in (numbers.public_numbers.x, numbers.public_numbers.y))
        yes, no = b"\x01", b"\x00"
        common = [(KEY_TYPE, number(EC)), (ON_TOKEN, yes), (LABEL, kid.encode()),
                  (ID, (place + 1).to_bytes(4, "big")), (PARAMETERS, P256)]
        self.create([(CLASS, number(PUBLIC)), (IS_PRIVATE, no), (VERIFY, yes), (POINT, point),
                     *common])
        self.create([(CLASS, number(PRIVATE)), (IS_PRIVATE, yes), (SENSITIVE, yes),
                     (EXTRACTABLE, no), (SIGN, yes),
                     (VALUE, numbers.private_value.to_bytes(32, "big")), *common])
        return (f"pkcs11:token=bench;object={kid}?module-path={self.MODULE}"
                f"&pin-source=file:{self.pin}")

    def close(self):
        self.call("C_Finalize", None)

    def memory(self):
        """Bytes that the module takes by itself for the objects of the token, in any process."""
        environment = os.environ | {"SOFTHSM2_CONF": str(self.configuration)}
        told = subprocess.run([sys.executable, __file__, self.configuration], check=True,
                              capture_output=True, env=environment)
        return int(told.stdout)


def own_memory(configuration):
    def peak():
        with open("/proc/self/status") as status:
            return 1024 * next(int(s.split()[1]) for s in status if s.startswith("VmHWM:"))

    token = Token.__new__(Token)
    token.configuration = configuration
    before = peak()
    token.open()
    token.call("C_FindObjectsInit", token.session, None, ctypes.c_ulong(0))
    handles, count = (ctypes.c_ulong * 1024)(), ctypes.c_ulong(1)
    while count.value:
        token.call("C_FindObjects", token.session, handles, ctypes.c_ulong(1024),
                   ctypes.byref(count))
    return peak() - before


if __name__ == "__main__":
    print(own_memory(sys.argv[1]))
