"""Compares our reader and canonical writer with Python's `json` and PyPI's `rfc8785`.

    PYTHON scripts/judges/canonical.py [PATH/TO/grona-bench [COUNT [SEED]]]

PYTHON has `rfc8785` installed; the program is `.build/debug/grona-bench` when none is named. COUNT random documents (4,000 by default), each spelled in a random
way (member order, blanks, escapes, number forms), and as many damaged ones go through
`grona-bench canonical`. Both sides must refuse the same texts and write the same bytes for the
others. Ends with 0 when they do; else prints the first differences and ends with 1.
"""

import json
import random
import struct
import subprocess
import sys

import rfc8785

LARGEST = 2**53 - 1
DEPTH = 32
CHARACTERS = [
    lambda source: chr(source.randrange(0x20, 0x7F)),
    lambda source: chr(source.randrange(0x00, 0x20)),
    lambda source: source.choice("\"\\/\u007f\u2028\u2029é€ﬁ\ue000\uf8ff\uffee😀𐀀\u00e9e\u0301"),
    lambda source: chr(source.choice([0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x10000,
                                      0x10FFFD])),
]
DAMAGE = [b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbf\xbf", b"\xff", b"\xe2\x82",
          b"\\ud800", b"\\udc00", b"\\ufffe", b"\\u12", b"\\x", b"\x01", b"NaN", b"-Infinity", b"01",
          b"1.", b".5", b"1e", b"+1", b"1e400", b"-1e-400", b"9007199254740992", b"1e20", b"[",
          b"]", b"{", b"}", b",", b":", b'"', b"'", b"//", b"\xef\xbb\xbf", b"nul", b"-", b" ",
          b"[" * 33 + b"]" * 33, b'"a":1,"\\u0061":2,', b"9007199254740990.5", b"\xf0\x9f\xbf\xbe"]


def text(source):
    return "".join(source.choice(CHARACTERS)(source) for _ in range(source.choice([0, 1, 3, 9, 20])))


def number(source):
    kind = source.randrange(6)
    if kind == 0:
        return source.randrange(-LARGEST, LARGEST + 1)
    if kind == 1:
        return source.randrange(-20, 1000)
    if kind == 2:
        return round(source.uniform(-1000, 1000), source.randrange(0, 6))
    if kind == 3:
        return source.choice([5e-324, 2.2250738585072014e-308, 1e-7, 1e-6, 0.1, 123456.789, -0.0,
                              4503599627370495.5, 9007199254740991, 1e15, 333333333.33333329])
    while True:
        value = struct.unpack(">d", source.randbytes(8))[0]
        if abs(value) <= LARGEST:
            return value


def document(source, depth=0):
    kind = source.randrange(8 if depth < 6 else 6)
    if kind < 2:
        return text(source)
    if kind < 5:
        return number(source)
    if kind == 5:
        return source.choice([None, True, False])
    size = source.choice([0, 1, 2, 5, 12]) if source.random() < 0.98 else 60
    if kind == 6:
        return [document(source, depth + 1) for _ in range(size)]
    return {text(source): document(source, depth + 1) for _ in range(size)}


def blank(source):
    return "" if source.random() < 0.8 else "".join(source.choices(" \t\n\r", k=source.randrange(12)))


def spell_text(source, value):
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r",
             "\t": "\\t", "/": "\\/"}
    result = []
    for character in value:
        must = character in '"\\' or character < " "
        if character in short and (must or source.random() < 0.3) and source.random() < 0.8:
            result.append(short[character])
        elif must or source.random() < 0.05:
            units = character.encode("utf-16-be")
            for index in range(0, len(units), 2):
                digits = units[index:index + 2].hex()
                result.append("\\u" + (digits.upper() if source.random() < 0.5 else digits))
        else:
            result.append(character)
    return '"' + "".join(result) + '"'


def spell_number(source, value):
    plain = repr(value)
    if source.random() < 0.7:
        return plain
    digits, _, exponent = plain.partition("e")
    sign = "-" if digits.startswith("-") else ""
    whole, _, fraction = digits.lstrip("-").partition(".")
    shift = source.randrange(1, 30)
    if source.random() < 0.5:
        return f"{sign}{whole}.{fraction}{'0' * shift}" + (f"E{int(exponent)}" if exponent else "")
    return (f"{sign}0.{'0' * shift}{whole}{fraction}"
            f"e{source.choice(['+', ''])}{int(exponent or 0) + len(whole) + shift}"
            if int(exponent or 0) + len(whole) + shift >= 0 else plain)


def spell(source, value):
    if isinstance(value, str):
        core = spell_text(source, value)
    elif value is None or isinstance(value, bool):
        core = json.dumps(value)
    elif isinstance(value, (int, float)):
        core = spell_number(source, value)
    elif isinstance(value, list):
        core = "[" + ",".join(spell(source, item) for item in value) + blank(source) + "]"
    else:
        members = list(value.items())
        source.shuffle(members)
        core = "{" + ",".join(
            blank(source) + spell_text(source, name) + blank(source) + ":" + spell(source, item)
            for name, item in members) + blank(source) + "}"
    return blank(source) + core + blank(source)


def damaged(source, data):
    data = bytearray(data)
    for _ in range(source.randrange(1, 3)):
        place = source.randrange(len(data) + 1)
        kind = source.randrange(4)
        if kind == 0:
            data[place:place] = source.choice(DAMAGE)
        elif kind == 1:
            del data[place:place + source.randrange(1, 5)]
        elif kind == 2 and place < len(data):
            data[place] = source.randrange(1, 256)
        elif kind == 3:
            del data[place:]
    return bytes(data).replace(b"\0", b"")


class Refused(Exception):
    pass


def whole(literal):
    if abs(int(literal)) > LARGEST:
        raise Refused
    return int(literal)


def fraction(literal):
    value = float(literal)
    if abs(value) > LARGEST:
        raise Refused
    if value == 0 and literal.lower().partition("e")[0].strip("-0."):
        raise Refused
    return value


def constant(literal):
    raise Refused


def members(pairs):
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Refused
    return result


def check(value, depth=0):
    if isinstance(value, str):
        for character in value:
            point = ord(character)
            if 0xD800 <= point < 0xE000 or 0xFDD0 <= point < 0xFDF0 or point & 0xFFFE == 0xFFFE:
                raise Refused
    elif isinstance(value, (list, dict)):
        if depth == DEPTH:
            raise Refused
        for item in value:
            check(item, depth + 1)
        if isinstance(value, dict):
            check(list(value.values()), depth)


def expected(data):
    """The canonical form by the outside tools; None when I-JSON does not allow the text."""
    try:
        value = json.loads(
            data.decode("utf-8"), parse_int=whole, parse_float=fraction, parse_constant=constant,
            object_pairs_hook=members)
        check(value)
        return rfc8785.dumps(value)
    except (Refused, ValueError, RecursionError):
        return None


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/debug/grona-bench"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    source = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 8785)
    texts = [spell(source, document(source)).encode() for _ in range(count)]
    texts += [damaged(source, source.choice(texts)) for _ in range(count)]
    answer = subprocess.run(
        [program, "canonical"], input=b"".join(data + b"\0" for data in texts),
        stdout=subprocess.PIPE, check=True).stdout.split(b"\0")[:-1]
    differences = accepted = 0
    for data, ours in zip(texts, answer, strict=True):
        theirs = expected(data)
        accepted += theirs is not None
        if (None if ours.startswith(b"!") else ours) != theirs:
            differences += 1
            if differences <= 5:
                print(f"judge: {data!r}\n  ours   {ours!r}\n  theirs {theirs!r}", file=sys.stderr)
    print(f"canonical: {len(texts)} documents, {accepted} accepted, {differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
