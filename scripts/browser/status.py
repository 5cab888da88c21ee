"""Looks at the page of `grona-publish status --html` in a real browser.

    python3 scripts/browser/status.py [--keep DIR] [FOLDER OF THE PROGRAMS]

Chromium is on the path; the programs are in `.build/dist` when no folder is named. A store is made in
which things went well and wrong, below a path full of markup; its page is opened light and dark, at
1200, 800 and 360 pixels and on paper. At each: no horizontal overflow and nothing wider than the
window, nothing asked of the network but the page itself, no word on the console, no script, no text
with too little contrast to its background (WCAG 2.1, 1.4.3: AA), no text cut off, every link leads
somewhere, and a click on it goes there. Then the same store with 1,000 workspaces' worth of a page.

A counter-example shows that each of these would be found. With --keep the pictures stay in DIR.
Ends with 0 when all of that holds; else says what does not and ends with 1.
"""

import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from devtools import Browser  # noqa: E402
from shops import DAY, Shops  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
VIEWS = [(width, scheme) for width in (1200, 800, 360) for scheme in ("light", "dark")]

# Every text on the page with its colour against what is behind it, and its box.
LOOK = r"""
(() => {
  const rgb = text => text.match(/[\d.]+/g).map(Number);
  const light = colour => colour.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = rgb(getComputedStyle(node).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
      if (colour[3] !== 0) throw new Error("half transparent");
    }
    return [255, 255, 255];
  };
  const low = [], wide = [], cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    if (!text.data.trim()) continue;
    const node = text.parentElement, style = getComputedStyle(node);
    const ink = node instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(rgb(ink)), light(behind(node))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) low.push([text.data.trim().slice(0, 40), contrast]);
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5)
        wide.push(text.data.trim().slice(0, 40));
      if (box.height === 0) cut.push(text.data.trim().slice(0, 40));
    }
  }
  for (const node of document.body.querySelectorAll("*")) {
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline"
        && node.clientWidth > 0 && !(node instanceof SVGElement))
      wide.push(node.tagName + "." + node.className);
  }
  const links = [...document.querySelectorAll("a")]
    .filter(a => !document.getElementById(a.getAttribute("href").slice(1)))
    .map(a => a.textContent);
  return {low, wide, cut, links, scripts: document.scripts.length,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          drawings: [...document.querySelectorAll("svg.b rect:not(.t)")]
            .filter(r => r.getBoundingClientRect().width < 1).length,
          dark: light(behind(document.body)) < 0.2};
})()
"""


def findings(page, path, scheme):
    """What is wrong with a page as it is shown now."""
    page.open(path)
    look = page.value(LOOK)
    found = [f"{kind}: {look[kind][:3]}" for kind in ("low", "wide", "cut", "links") if look[kind]]
    if look["overflow"] > 0:
        found.append(f"overflow: {look['overflow']} pixels")
    if look["scripts"]:
        found.append("scripts")
    if look["drawings"]:
        found.append(f"drawings: {look['drawings']} bars cannot be seen")
    if look["dark"] != (scheme == "dark"):
        found.append("scheme: the colours do not follow it")
    asked = [event["request"]["url"] for event in page.named("Network.requestWillBeSent")]
    if len(asked) != 1:
        found.append(f"network: {asked[1:]}")
    said = [event["entry"]["text"] for event in page.named("Log.entryAdded")]
    said += [str(event) for event in page.named("Runtime.consoleAPICalled")]
    said += [str(event) for event in page.named("Runtime.exceptionThrown")]
    said += [event["issue"]["code"] for event in page.named("Audits.issueAdded")]
    if said:
        found.append(f"console: {said[:3]}")
    return found


def click(page):
    """Follows the first link; answers whether its target came to the top."""
    return page.value("""
        (() => { const a = document.querySelector("a"); a.click();
          const box = document.getElementById(a.getAttribute("href").slice(1))
            .getBoundingClientRect();
          return box.top > -2 && box.top < innerHeight; })()""")


COUNTER_EXAMPLES = {
    # Found as: what is put before the end of the body.
    "overflow": '<div style="width:5000px">x</div>',
    "low": '<p style="color:#999;background:#fff">pale</p>',
    "network": '<img src="other.png" alt="">',
    "links": '<a href="#nowhere">x</a>',
    "console": "<script>console.log(1)</script>",
    "scripts": "<script></script>",
}


def counter_examples(page, text, folder):
    """Each fault that is built into a page has to be found; the policy is taken out for it."""
    missed = []
    bare = text.replace("Content-Security-Policy", "X-Nothing")
    for kind, fault in COUNTER_EXAMPLES.items():
        file = folder / "fault.html"
        file.write_text(bare.replace("</body>", fault + "</body>"))
        page.look(360, 800)
        if not any(found.startswith(kind) for found in findings(page, file, "light")):
            missed.append(kind)
    # And with the policy, a script and a picture that somebody smuggled in do nothing.
    file.write_text(text.replace(
        "</body>", "<script>document.title='owned'</script><img src=other.png></body>"))
    page.open(file)
    stopped = [event.get("blockedReason") for event in page.named("Network.loadingFailed")]
    if page.value("document.title") == "owned" or stopped != ["csp"]:
        missed.append(f"the policy holds nothing back: {stopped}")
    return missed


def make(folder, programs):
    """The page of a store with all that can happen, 20 days later."""
    place = folder / "<img src=x onerror=alert(1)> & \u202e'shops\""
    place.mkdir()
    shops = Shops(place, programs)
    shops.shop("acme-market", 30, versions=3, bundle_days=25)
    shops.bundle("acme-market", 28)
    shops.shop("acme-staging", 60, bundle_days=30)
    shops.shop("corner-shop", 24, versions=2, bundle_days=14)
    shops.shop("dark-lane", 10, bundle_days=9)
    shops.shop("flower-hall", 90)
    shops.shop("old-backup", 60, versions=3, bundle_days=30)
    shops.restore("old-backup", 1)
    shops.shop("w" * 63, 60)
    shops.served("w" * 63).write_text("<script>alert(1)</script>")
    shops.served("stranger").parent.mkdir(parents=True)
    (shops.served("flower-hall").parent / "versions/0000000000000007.json").write_text("junk")
    file = folder / "status.html"
    shops.status("--html", file, now=int(time.time()) + 20 * DAY)
    return file


def main(arguments):
    keep = None
    if arguments[:1] == ["--keep"]:
        keep = pathlib.Path(arguments[1])
        keep.mkdir(parents=True, exist_ok=True)
        arguments = arguments[2:]
    programs = pathlib.Path(arguments[0] if arguments else ROOT / ".build/dist").resolve()
    failures = []
    with tempfile.TemporaryDirectory(prefix="grona-status-") as name, Browser() as browser:
        folder = pathlib.Path(name)
        file = make(folder, programs)
        text = file.read_text()
        large = folder / "large.html"
        rows = text.split('<li class="row">')
        large.write_text('<li class="row">'.join([rows[0]] + rows[1:2] * 1_000 + rows[1:]))
        page = browser.page()
        for path in (file, large):
            for width, scheme in VIEWS if path == file else VIEWS[-2:]:
                page.look(width, 800, scheme, scale=2 if keep and width < 600 else 1)
                for found in findings(page, path, scheme):
                    failures.append(f"{path.name} at {width}, {scheme}: {found}")
                if keep and path == file:
                    page.shot(keep / f"status-{width}-{scheme}.png")
                if path == file and not click(page):
                    failures.append(f"{path.name} at {width}: a link leads nowhere")
        page.look(800, 1100, "dark", media="print")
        failures += [f"on paper: {found}" for found in findings(page, file, "light")]
        if keep:
            page.pdf(keep / "status.pdf")
        failures += [f"not found: {kind}" for kind in counter_examples(page, text, folder)]
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"The page of status in Chromium: {len(VIEWS) + 3} views,"
          f" {len(COUNTER_EXAMPLES) + 1} counter-examples, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
