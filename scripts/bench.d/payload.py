"""Makes a config payload of about 500 KB, the same on every machine.

    payload.py source|indented|canonical > FILE

Three forms of one document: members in the order in which people write them, without blanks; the
same with line breaks and indentation; and sorted, without blanks, as a payload is signed.
About 6 % of the bytes belong to characters beyond ASCII, and about one string in twenty holds an
escape.
"""

import json
import random
import sys

SIZE = 500_000
TITLES = [
    "Weekend offer", "Free delivery", "Back to school", "Two for one", "Member days",
    "Größere Rabatte für Kundenkarten", "Livraison gratuite dès aujourd’hui",
    "Darmowa dostawa w całej Polsce", "週末セール開催中", "Скидки на всю обувь",
]
BODIES = [
    "Buy two pairs of running shoes and take the cheaper one home at half the price.",
    "Add one more item to reach free delivery. It is worth it.",
    "Only this week, in every store and in the app. Terms apply; see the shop page.",
    "Nur solange der Vorrat reicht – gilt nicht für bereits reduzierte Artikel.",
    "Jusqu’à dimanche soir, profitez de −20 % sur les vêtements d’été sélectionnés.",
    "Tell your friends \"see you there\" and collect points.\nEvery point counts.",
    "Sammeln Sie Punkte bei jedem Einkauf 🎉",
    "対象商品を2点以上お買い上げで、安い方が半額になります。",
    "Получите скидку на вторую пару при покупке онлайн.",
    "Przy zakupie dwóch par butów tańszą otrzymasz za pół ceny – tylko w tę niedzielę.",
]


def identifier(random, *words):
    return "-".join(words) + "-" + "".join(random.choices("abcdefghjkmnpqrstuvwxyz23456789", k=6))


def content(random):
    return {
        "title": random.choice(TITLES),
        "body": random.choice(BODIES),
        "image": "https://cdn.example.com/img/" + identifier(random, "hero", "wide") + ".webp",
        "accent": random.choice(["#0057b8", "#e4002b", "#1d1d1b"]),
        "ratio": random.choice([0.75, 1.5, 1.778, 2]),
        "button": {"label": random.choice(["Shop now", "Jetzt ansehen", "Voir l’offre"]),
                   "link": "app://shop/" + identifier(random, "list")},
    }


def campaign(random, index):
    kind = random.choice(["offer", "banner", "banner", "progress_bar", "message", "host"])
    start = 1_760_000_000 + random.randrange(10_000_000)
    result = {
        "id": identifier(random, kind.replace("_", "-"), str(index)),
        "kind": kind,
        "enabled": random.random() < 0.8,
        "unit": "customer" if kind == "offer" else random.choice(["customer", "device"]),
        "priority": random.randrange(0, 1000),
        "min_sdk": random.choice(["1.2.0", "1.4.0", "2.0.1"]),
        "placements": [identifier(random, "slot") for _ in range(random.randrange(1, 4))],
        "segments": [identifier(random, "seg") for _ in range(random.randrange(0, 5))],
        "starts_at": start,
        "ends_at": start + random.randrange(86_400, 5_000_000),
        "variants": [
            {"id": "control", "weight": 1000, "control": True},
            {"id": "A", "weight": 4500, "content": content(random)},
            {"id": "B", "weight": 4500, "content": content(random)},
        ],
    }
    if kind == "offer":
        result["treatment"] = {"type": "percent_off", "value": random.randrange(1, 60) * 1000}
    if kind == "banner":
        result["call_to_action"] = {"action": "add_to_basket", "sku": identifier(random, "sku"),
                                    "quantity": random.randrange(1, 4)}
    return result


def payload():
    source = random.Random(20261001)
    document = {
        "schema": 1,
        "workspace": "acme-market",
        "version": 4211,
        "issued_at": 1_760_000_000,
        "expires_at": 1_762_592_000,
        "min_sdk": "1.2.0",
        "ttl_seconds": 900,
        "settings": {"events": {"batch": 20, "flush_seconds": 30.5}, "locale": "de-DE"},
        "campaigns": [],
    }
    size = 0
    while size < SIZE - 800:
        made = campaign(source, len(document["campaigns"]))
        document["campaigns"].append(made)
        size += len(json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()) + 1
    return document


FORMS = {
    "source": {"separators": (",", ":")},
    "indented": {"indent": 2},
    "canonical": {"separators": (",", ":"), "sort_keys": True},
}

if __name__ == "__main__":
    sys.stdout.buffer.write(json.dumps(payload(), ensure_ascii=False, **FORMS[sys.argv[1]]).encode())
