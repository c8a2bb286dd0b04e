"""Chromium without a window, driven by the DevTools protocol over two pipes: no port, no packages."""

import base64
import fcntl
import json
import os
import queue
import shlex
import shutil
import subprocess
import tempfile
import threading
import time


class BrowserError(Exception):
    """The browser, or the page in it, refused what was asked of it."""


def find():
    """Words that start Chromium: those of CHROMIUM in the environment, or the one in PATH; None: there is none."""
    words = shlex.split(os.environ.get("CHROMIUM", "")) or ["chromium"]
    return words if all(shutil.which(word) for word in words[:1] + words[-1:]) else None


class Browser:
    """One Chromium with a profile of its own, which ends with the block, or after some seconds in any case."""

    def __init__(self, words, limit=120, *options):
        self.profile = tempfile.mkdtemp(prefix="check-serve-profile-")
        (command, commands), (answers, answer) = os.pipe(), os.pipe()
        # Chromium reads descriptor 3 and writes 4.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (command, answer)]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "bash",
             "timeout", "-k", "5", str(limit), *words, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--mute-audio",
             f"--user-data-dir={self.profile}", "--remote-debugging-pipe", *options, "about:blank"],
            pass_fds=ends, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (command, answer, *ends):
            os.close(end)
        self.commands, self.answers = open(commands, "wb", buffering=0), open(answers, "rb", buffering=0)
        self.waiting, self.events, self.number = {}, queue.Queue(), 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close", timeout=5)
        except BrowserError:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self):
        rest = b""
        while data := self.answers.read(1 << 20):
            *whole, rest = (rest + data).split(b"\0")
            for message in map(json.loads, whole):
                waiting = self.waiting.pop(message.get("id"), None)
                (waiting or self.events).put(message)
        for waiting in list(self.waiting.values()):
            waiting.put({"error": {"message": "the browser has ended"}})

    def send(self, method, timeout=30, session=None, **parameters):
        """The result of a command."""
        self.number += 1
        answer = self.waiting[self.number] = queue.Queue()
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        try:
            self.commands.write(json.dumps(message).encode() + b"\0")
            got = answer.get(timeout=timeout)
        except (OSError, queue.Empty):
            raise BrowserError(f"{method}: no answer") from None
        if "error" in got:
            raise BrowserError(f"{method}: {got['error'].get('message')}")
        return got.get("result", {})

    def page(self, width, height, scale=1, is_touch=False):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session, width, height, scale, is_touch)


# Keys that type nothing, and Space: what the page calls them, and their numbers in Windows.
KEYS = {
    "Space": (" ", 32), "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39), "ArrowUp": ("ArrowUp", 38),
    "ArrowDown": ("ArrowDown", 40), "Escape": ("Escape", 27), "Home": ("Home", 36), "Enter": ("Enter", 13),
}  # fmt: skip


class Page:
    """A page of a given size in points, with so many pixels a point."""

    def __init__(self, browser, session, width, height, scale, is_touch):
        self.browser, self.session = browser, session
        self.messages = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.resize(width, height, scale, is_touch)
        self.send("Emulation.setTouchEmulationEnabled", enabled=is_touch)

    def resize(self, width, height, scale=1, is_touch=False):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=is_touch)

    def send(self, method, timeout=30, **parameters):
        return self.browser.send(method, timeout=timeout, session=self.session, **parameters)

    def open(self, url):
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && Boolean(window.headroom)", 20)

    def evaluate(self, expression, timeout=30):
        """The value of an expression, which may be a promise."""
        options = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        got = self.send("Runtime.evaluate", timeout=timeout, **options)
        if "exceptionDetails" in got:
            details = got["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return got["result"].get("value")

    def wait(self, expression, seconds=10):
        """Whether an expression becomes true in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.evaluate(expression):
                    return True
            except BrowserError:
                pass  # The page is being replaced.
            time.sleep(0.05)
        return False

    def complaints(self):
        """What the console, the log and requests that failed have said since the last call, in lines."""
        lines = []
        while not self.browser.events.empty():
            message = self.browser.events.get()
            parameters = message.get("params", {})
            match message.get("method"):
                case "Runtime.consoleAPICalled":
                    words = [str(value.get("value", value.get("description"))) for value in parameters["args"]]
                    lines.append(f"console.{parameters['type']}: {' '.join(words)}")
                case "Runtime.exceptionThrown":
                    details = parameters["exceptionDetails"]
                    lines.append(details.get("exception", {}).get("description") or details["text"])
                case "Log.entryAdded":
                    entry = parameters["entry"]
                    lines.append(f"{entry['level']}: {entry['text']} {entry.get('url', '')}")
        return lines

    def key(self, name, shift=False):
        """Presses a key: a character, or a name of KEYS."""
        key, code = KEYS.get(name, (name, ord(name.upper()) if len(name) == 1 else 0))
        text = {"text": key} if len(key) == 1 else {}
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def touch(self, kind, *points):
        places = [{"x": x, "y": y} for x, y in points]
        self.send("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=places)

    def tap(self, x, y):
        self.touch("Start", (x, y))
        self.touch("End")

    def move(self, x, y):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        """Clicks in the middle of an element."""
        x, y = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def middle(self, selector):
        return self.evaluate(f"""(() => {{ const found = document.querySelector({json.dumps(selector)});
          found.scrollIntoView({{ block: 'nearest' }});
          const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")

    def screenshot(self, path):
        data = self.send("Page.captureScreenshot", timeout=60, format="png")["data"]
        path.write_bytes(base64.b64decode(data))
