#!/usr/bin/env python3
"""A browser without a window, driven by keys.   drive.py CHROMIUM PAGE FOLDER

Opens the page of counterexamples/golden/B06-x86_64.itf.json, presses keys, compares what the page then
says, and leaves screenshots in FOLDER. Speaks the Chrome DevTools Protocol over --remote-debugging-pipe."""

import base64
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

CODES = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Tab": 9,
         "Enter": 13}
STATE = """(() => {
  const q = (s) => document.querySelector(s);
  const current = document.querySelectorAll('[aria-current=step]');
  return {
    current: current.length, button: current[0].textContent, live: q('#live').textContent,
    hash: location.hash, number: q('#number').value,
    finding: q('#finding').hidden ? '' : q('#finding').textContent,
    first: q('#first').ariaDisabled, last: q('#last').ariaDisabled,
    changed: [...document.querySelectorAll('.changed')].map((td) => td.closest('tr').textContent),
    focus: document.activeElement.id || document.activeElement.textContent,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth};
})()"""


class Browser:
    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def plumb():  # The protocol's descriptors are 3 and 4.
            read, write = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, from_write))
            os.dup2(read, 3)
            os.dup2(write, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--user-data-dir=" + self.profile.name, "--remote-debugging-pipe", "about:blank"]
        nowhere = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
        self.process = subprocess.Popen([program] + options, preexec_fn=plumb, close_fds=False, **nowhere)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.from_read, 1 << 16)
            if not part:
                raise SystemExit("drive.py: the browser ended early")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"drive.py: {method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"drive.py: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def go(self, url):
        self.send("Page.navigate", url=url)
        # While one page replaces the other, the old one may still answer.
        wanted = "complete" + url.split("#")[0]
        while self.evaluate("document.readyState + location.href.split('#')[0]") != wanted:
            time.sleep(0.02)

    def open(self, url):
        if not self.session:
            target = self.send("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.send(domain + ".enable")
        self.go("about:blank")  # Otherwise another step of the same page would load nothing.
        self.go(url)

    def state(self):
        return self.evaluate(STATE)

    def press(self, *keys):
        for key in keys:
            text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            code = {"windowsVirtualKeyCode": CODES.get(key, ord(key[0].upper()))}
            down = "keyDown" if text else "rawKeyDown"
            self.send("Input.dispatchKeyEvent", type=down, key=key, **code, **text)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key, **code)

    def look(self, width, height, scheme, file):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        shot = self.send("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.session = None
        try:
            self.send("Browser.close")
        except (SystemExit, OSError):
            self.process.kill()
        self.process.wait()
        self.profile.cleanup()


failures = 0


def check(what, found, expected):
    global failures
    if found != expected:
        failures += 1
        print(f"FAIL: {what}: {found!r}, not {expected!r}")


def check_has(what, found, part):
    global failures
    if part not in found:
        failures += 1
        print(f"FAIL: {what}: no {part!r} in {found!r}")


def walk(browser, url):
    browser.open(url)
    s = browser.state()
    check("opens at the first state", (s["current"], s["hash"], s["number"], s["first"], s["last"]),
          (1, "#step=0", "0", "true", "false"))
    check("nothing has changed there", s["changed"], [])
    browser.press("ArrowRight")
    s = browser.state()
    check_has("one step", s["live"], "Step 1 of 19, CPU2 user: TLB: pfn 0 RW clean.")
    check_has("and its change", s["live"], "CPU2 page 0 valid 0 \u2192 1")
    check("only its TLB entry changes", [r[:11] for r in set(s["changed"])], ["CPU2 page 0"])
    check("no finding yet", s["finding"], "")
    browser.press("j", "j", "ArrowDown", "ArrowUp", "k", "ArrowLeft")
    check("forth and back", browser.state()["hash"], "#step=1")
    browser.press("ArrowLeft", "ArrowLeft")
    check("not before the first", browser.state()["hash"], "#step=0")
    browser.press("1", "2")
    s = browser.state()
    check("a number", (s["hash"], s["number"]), ("#step=12", "12"))
    check_has("says what the step is", s["button"], "pte_accessible() = false, no flush")
    browser.press("End")
    s = browser.state()
    check("the end", (s["hash"], s["current"], s["last"]), ("#step=19", 1, "true"))
    check_has("the sentence", s["finding"], "Violated: always no CPU can reach a frame that is free")
    check_has("the culprit", s["finding"], "CPU2 can still use its TLB entry: pfn 0 RW clean; pfn 0 is free.")
    check_has("both are spoken", s["live"], "(reach). CPU2 can still use")
    browser.press("ArrowRight")
    check("not behind the last", browser.state()["hash"], "#step=19")
    browser.press("Home")
    check("home", browser.state()["hash"], "#step=0")


def walk_by_focus(browser, url):
    browser.open(url + "#step=5")
    check("an address with a step", browser.state()["number"], "5")
    browser.press("Tab", "Enter")
    s = browser.state()
    check("Tab reaches First, which keeps the focus", (s["focus"], s["hash"]), ("first", "#step=0"))
    browser.press("Tab", "Tab")
    check("then the number", browser.state()["focus"], "number")
    browser.press("7", "Enter")
    check("a number there", browser.state()["hash"], "#step=7")
    browser.press("Tab", "Enter")
    check("then Next", (browser.state()["focus"], browser.state()["hash"]), ("next", "#step=8"))
    browser.press("Tab", "Tab")
    check_has("then the step in the list", browser.state()["focus"], "8. CPU0 NUMA")
    browser.press("j")
    check_has("which moves along", browser.state()["focus"], "9. CPU1 reclaim")
    for address, step in (("#step=999", "19"), ("#step=x", "0"), ("#other", "0")):
        browser.open(url + address)
        check(address, browser.state()["number"], step)


def looks(browser, url, folder):
    browser.open(url + "#step=7")
    for name, width, height, scheme in (("light", 1280, 800, "light"), ("dark", 1280, 800, "dark"),
                                        ("narrow", 390, 844, "light"), ("narrow-dark", 390, 844, "dark")):
        browser.look(width, height, scheme, folder / (name + ".png"))
        check(f"nothing is wider than the window ({name})", browser.state()["wide"], 0)
    browser.press("End")
    browser.look(1280, 800, "light", folder / "end.png")
    browser.look(390, 844, "light", folder / "end-narrow.png")


def main():
    program, page, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    browser = Browser(program)
    try:
        for part in (walk, walk_by_focus, lambda b, u: looks(b, u, folder)):
            part(browser, page.as_uri())
        allowed = (page.as_uri(), "about:blank")
        bad = [e["params"] for e in browser.events
               if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")
               or e.get("method") == "Network.requestWillBeSent"
               and not e["params"]["request"]["url"].startswith(allowed)]
        check("no error, and no request but for the page", bad, [])
    finally:
        browser.close()
    print("FAILED" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
