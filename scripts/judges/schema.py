#!/usr/bin/env python3
"""The JSON Schemas against `grona-sign check`: over 500 mutated sources, both say the same.

What the schemas cannot say stands in EXPLAINED, each with its reason; a disagreement that is not
explained there fails the run. Seeded, so that two runs see the same sources:
    schema.py [--seed N] [--count N] [PATH OF grona-sign]
"""

import argparse
import collections
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parents[2]


def not_literal(_, value, __):
    """The value at the finding's pointer is a whole number written with a point or exponent."""
    return isinstance(value, float) and value.is_integer()


def whole_list(finding, *_):
    return re.fullmatch(r"/variants", finding["pointer"]) is not None


def text_value(_, value, __):
    return isinstance(value, str)


def ends_in_newline(_, value, __):
    return isinstance(value, str) and value.endswith("\n")


def anything(*_):
    return True


def well_formed_id(_, value, __):
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9._:-]{1,128}", value) is not None


def well_formed_name(_, value, __):
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", value) is not None


MULTIPLY = "a schema cannot multiply the number in 401d"


# Where the linter refuses and the schema does not: code, condition on the finding, reason.
EXPLAINED = [
    ("campaign.weights", whole_list, "a schema cannot add up the weights of variants"),
    ("campaign.variants", well_formed_id, "a schema cannot compare the ids of two variants"),
    ("campaign.id", well_formed_id, "a schema does not know the file's name"),
    ("workspace.name", well_formed_name, "a schema does not know the folder's name"),
    ("campaign.email", anything, "a schema does not look into every string at any depth"),
    ("campaign.times", text_value,
     "a pattern does not know the length of months, and compares no times in other offsets"),
    ("payload.lifetime", text_value, MULTIPLY),
    ("bundle.lifetime", text_value, MULTIPLY),
    ("grant.lifetime", text_value, MULTIPLY),
    ("preview.lifetime", text_value, MULTIPLY),
    ("workspace.renew-before", text_value, MULTIPLY),
    ("*", not_literal, "to a schema 1.0 is an integer; here ints are written in digits only"),
    ("*", ends_in_newline,
     "to Python's re, $ matches before a last newline; to ECMA-262 it does not"),
    ("json.number", anything, "Python's json reads integers beyond 2^53-1; I-JSON has none"),
]

# Where the schema refuses and the linter does not: nothing.

# Edits that a random run may miss, on the first campaign or policy.
FIXED = [
    ("campaign", {"starts_at": "2026-02-30T00:00:00Z"}),
    ("campaign", {"starts_at": "2020-01-01T00:30:00+01:00"}),
    ("campaign", {"placements": [], "note": {"deep": ["jane@acme.example"]}}),
    ("campaign", {"id": "other"}),
    ("campaign", {"priority": 9007199254740992}),
    ("campaign", {"placements": ["home\n"]}),
    ("campaign", {"priority": 1.0}),
    ("campaign", {"variants": [{"id": "A", "weight": 5000}, {"id": "A", "weight": 5000}]}),
    ("campaign", {"variants": [{"id": "A", "weight": 5000}]}),
    ("workspace", {"workspace": "other"}),
    ("workspace", {"lifetimes": {"config": "401d"}}),
    ("workspace", {"lifetimes": {"bundle": "401d"}}),
    ("workspace", {"lifetimes": {"bundle_with_offers": "4d"}}),
    ("workspace", {"lifetimes": {"grant": "25h"}}),
    ("workspace", {"lifetimes": {"preview": "8d"}}),
    ("workspace", {"renew_before": "401d"}),
]

STRINGS = [
    "", "a", "A-z0.9_:", "a b", "x" * 128, "x" * 129, "customer", "device", "offer", "banner",
    "host", "1.4.0", "1.04.0", "1.4", "0.0.999999999", "0.0.1000000000", "c\n", "1.4.0\n",
    "workspace", "schema", "30d", "400d", "401d", "0d", "030d", "12h", "25h", "90s", "86400",
    "9223372036854775808", "production", "demo", "served", "bundle-only", "add_to_basket",
    "2026-10-24T18:00:00+02:00", "2026-10-24T18:00:00Z", "2026-10-24T18:00:00",
    "2026-10-24t18:00:00z", "2026-02-30T00:00:00Z", "2026-10-24T18:00:00.5Z",
    "2026-10-24T18:00:60Z", "2026-10-24T24:00:00Z", "2019-12-31T23:59:59Z",
    "2020-01-01T00:30:00+01:00", "2100-01-01T00:00:01Z", "2100-01-01T00:00:00Z",
    "2026-10-24T18:00:00+24:00", "jane@acme.example", "ä", "campaign.email", "campaign.weights",
]
NUMBERS = [
    0, 1, -1, 299, 300, 900, 86400, 86401, 2000, 8000, 9999, 10000, 10001, 10000.0, 0.5, 300.0,
    604800, 604801, 259200, 259201, 34560000, 34560001, 1577836799, 1577836800, 4102444800,
    4102444801, 1793264400.0, 9007199254740991, 9007199254740992, -9007199254740991,
]
OTHERS = [None, True, False, [], {}, [None], ["a"], ["a", "b"], [1], {"id": "a"}, {"x": 1},
          {"type": "percent_off", "value": 10000}, {"action": "open"}, {"demo": True}]
NAMES = ["treatment", "min_sdk", "segments", "priority", "starts_at", "ends_at", "call_to_action",
         "$note", "extra", "settings", "environment", "delivery", "lifetimes", "renew_before",
         "order_backends", "waivers", "control", "content", "demo", "grant"]
WAIVER = {"file": "c.json", "pointer": "/x", "rule": "campaign.phone", "reason": "its own"}


def places(value, path=()):
    """Every place of a document, the outermost left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key, path + (key,)
        if isinstance(inner, (dict, list)):
            yield from places(inner, path + (key,))


def random_value(rng):
    pool = rng.choice([STRINGS, STRINGS, NUMBERS, NUMBERS, OTHERS])
    return copy.deepcopy(rng.choice(pool))


def neighbour(rng, value):
    """A value near the one that stands there: the boundaries are there."""
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, float(value), value, -value, str(value)])
    if isinstance(value, str):
        return rng.choice([value + " ", value.upper(), value[:-1], value + "x", value + "\n"])
    if isinstance(value, list):
        return rng.choice([value + value[-1:], value[:-1], value[::-1]])
    return value


def mutate(rng, document):
    document = copy.deepcopy(document)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        found = list(places(document))
        container, key, _ = rng.choice(found)
        act = rng.randrange(5)
        if act == 0 and isinstance(container, dict):
            del container[key]
        elif act == 1:
            container[key] = random_value(rng)
        elif act == 2 and isinstance(container, dict):
            container[rng.choice(NAMES)] = random_value(rng)
        elif act == 3 and "workspace" in document:
            document["waivers"] = [{**WAIVER, rng.choice(list(WAIVER)): random_value(rng)}]
        else:
            container[key] = neighbour(rng, container[key])
    return document


def at(document, pointer):
    """The value to which an RFC 6901 pointer leads, None where it leads nowhere."""
    value = document
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(token)] if isinstance(value, list) else value[token]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


def explanation(finding, document):
    value = at(document, finding["pointer"])
    for code, condition, reason in EXPLAINED:
        if code in ("*", finding["code"]) and condition(finding, value, document):
            return reason
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=20261024)
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build/dist/grona-sign"))
    options = parser.parse_args()
    rng = random.Random(options.seed)

    schemas = {}
    for name in ("campaign", "workspace"):
        schema = json.loads((ROOT / f"campaigns/schema/{name}.schema.json").read_text())
        Draft202012Validator.check_schema(schema)
        schemas[name] = Draft202012Validator(schema)

    campaigns, policies = [], []
    for path in sorted((ROOT / "campaigns").glob("*/*.json")):
        if path.parent.name == "schema":
            continue
        document = json.loads(path.read_text())
        kind = "workspace" if path.name == "workspace.json" else "campaign"
        errors = list(schemas[kind].iter_errors(document))
        assert not errors, f"{path}: {errors[0].message}"
        (policies if kind == "workspace" else campaigns).append(document)

    with tempfile.TemporaryDirectory() as folder:
        cases = {}
        for number in range(options.count):
            name = f"w{number:05}"
            policy = {"workspace": name, "min_sdk": "1.0.0", "ttl_seconds": 900}
            campaign = {**rng.choice(campaigns), "id": "c"}
            if number < len(FIXED):
                kind, edit = FIXED[number]
                if kind == "workspace":
                    policy = {**policy, **edit}
                    cases[name] = (kind, "workspace.json", policy)
                else:
                    campaign = {**campaigns[0], "id": "c", **edit}
                    cases[name] = (kind, "c.json", campaign)
            elif number % 3 == 0:
                policy = mutate(rng, {**rng.choice(policies), "workspace": name})
                cases[name] = ("workspace", "workspace.json", policy)
            else:
                campaign = mutate(rng, campaign)
                cases[name] = ("campaign", "c.json", campaign)
            place = pathlib.Path(folder, name)
            place.mkdir()
            (place / "workspace.json").write_text(json.dumps(policy, ensure_ascii=False))
            (place / "c.json").write_text(json.dumps(campaign, ensure_ascii=False))
        run = subprocess.run(
            [options.program, "check", "--json", folder], capture_output=True, check=False)
        assert run.returncode in (0, 1), run.stderr.decode()
        answer = json.loads(run.stdout)
    assert answer["workspaces"] == options.count, answer["workspaces"]

    errors = collections.defaultdict(list)
    for finding in answer["findings"]:
        name, file = finding["file"].split("/")[-2:]
        if finding["severity"] == "error" and file == cases[name][1]:
            errors[name].append(finding)

    counts, reasons, wrong = collections.Counter(), collections.Counter(), []
    for name, (kind, _, document) in cases.items():
        refusals = list(schemas[kind].iter_errors(document))
        counts[("refused" if refusals else "taken", "refused" if errors[name] else "taken")] += 1
        if bool(refusals) == bool(errors[name]):
            continue
        if refusals:
            wrong.append((name, f"only the schema refuses: {refusals[0].message}", document))
            continue
        for finding in errors[name]:
            reason = explanation(finding, document)
            if reason is None:
                wrong.append((name, f"only check refuses: {finding}", document))
            else:
                reasons[reason] += 1

    both, neither = counts[("refused", "refused")], counts[("taken", "taken")]
    print(f"{options.count} sources, seed {options.seed}: both take {neither}, both refuse {both}")
    for reason, count in sorted(reasons.items()):
        print(f"  only check refuses {count:4}: {reason}")
    for name, text, document in wrong[:10]:
        print(f"  {name}: {text}\n    {json.dumps(document, ensure_ascii=False)}", file=sys.stderr)
    if min(both, neither) < 100:
        print("too few of either kind to say anything", file=sys.stderr)
    unused = sorted({reason for _, _, reason in EXPLAINED if not reasons[reason]})
    for reason in unused:
        print(f"  an explanation that nothing needs: {reason}", file=sys.stderr)
    return 1 if wrong or unused or min(both, neither) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
