"""Checks the page of `headroom serve` in a real Chromium.

usage: tools/check-serve [HEADROOM] [--only PART]... [--seconds N] [--screenshots FOLDER]
  HEADROOM       the program (.build/release/headroom)
  --seconds      how long frames are counted (60)
  --screenshots  where pictures of the page go (a folder that is removed)

Parts, all by default:
  frames   1080p30: distinct frames a second that a canvas reads, at least 24; latency from capture to display, whose
           median must be below 250 ms
  device   the same of a capture device (tools/preload), and how late its frames are
  canvas   what a canvas reads of the paused video against `headroom dump`: the error of the codec
  still    the still of a pause: the bytes that are served, those of `headroom dump`, and the same pixels on screen
  keys     what keys and buttons do
  touch    what taps and a finger that is held do
  seek     seeking, while it plays and paused; the end of the film; the end of the preview
  choice   a display that is measured, and what the page says about it; nothing to change with --read-only
  sizes    the stream has the pixels of a phone, a tablet and a desktop; screenshots

Prints one line a check. Ends with status 1 where one failed.
"""

import argparse
import base64
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import browser
from page_pictures import SAMPLER, frame_number, frame_of, samples
from page_program import Film, Served

PARTS = ["frames", "device", "canvas", "still", "keys", "touch", "seek", "choice", "sizes"]
# Width and height in points, pixels a point, touch.
SIZES = {"phone": (390, 844, 3, True), "tablet": (1180, 820, 2, True), "desktop": (1600, 1000, 1, False)}
STATUS_LINE = 30  # Points above the picture.


class Report:
    def __init__(self):
        self.failed = 0

    def check(self, name, holds, seen=""):
        self.failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {name}: {seen}", flush=True)
        return bool(holds)


class Checks:
    def __init__(self, options, words, folder):
        self.options, self.words, self.folder = options, words, folder
        self.report = Report()
        self.check = self.report.check

    def film(self, seconds=20):
        return Film(self.options.headroom, self.folder, seconds)

    @contextlib.contextmanager
    def watching(self, film, *words, size=(1920, 1080 + STATUS_LINE, 1, False), limit=120, environment=None):
        """A preview that is served, and a page that shows it. The console must stay silent."""
        path = "/dev/video70" if environment else film.path
        with Served(self.options.headroom, path, *words, environment=environment) as served:
            with browser.Browser(self.words, limit) as chromium:
                page = chromium.page(*size)
                page.open(served.url)
                self.check("the picture moves", page.wait("headroom.shown > 10", 20), page.evaluate("headroom.shown"))
                yield served, page
                complaints = page.complaints()
                self.check("nothing in the console", not complaints, "; ".join(complaints[:3]))

    # Parts -------------------------------------------------------------------------------------------------------

    def frames(self):
        seconds = self.options.seconds
        film = self.film(seconds + 30)
        with self.watching(film, limit=seconds + 60) as (_, page):
            time.sleep(3)
            before = page.evaluate("[headroom.latencies.length, headroom.gaps, headroom.jumps]")
            page.evaluate(SAMPLER.replace("CODE", json.dumps(film.code)))
            begin = time.monotonic()
            time.sleep(seconds)
            seen = page.evaluate("window.seen")
            took = time.monotonic() - begin
            numbers = [frame_number(cells) for cells in seen]
            rate = len({number for number in numbers if number is not None}) / took
            unreadable = f"{numbers.count(None)} of {len(seen)} unreadable"
            self.check("frames a second", rate >= 24, f"{rate:.2f} distinct, {unreadable}")
            falls = sum(later < earlier for earlier, later in zip(numbers, numbers[1:]) if None not in (earlier, later))
            self.check("frames in order", not falls, f"{falls} before an earlier one")
            latencies = np.array(page.evaluate("headroom.latencies")[before[0]:] or [np.inf])
            median, most = np.median(latencies), np.quantile(latencies, 0.99)
            self.check("latency", median < 250, f"median {median:.0f} ms, 99 % {most:.0f} ms, {len(latencies)} frames")
            gaps, jumps = page.evaluate("[headroom.gaps, headroom.jumps]")
            print(f"     {gaps - before[1]} frames left out, {jumps - before[2]} jumps", flush=True)

    def device(self):
        """A capture device: every frame of it, and from capture to screen."""
        tools, seconds, film = Path(__file__).parent.parent, self.options.seconds, self.film(2)
        subprocess.run([tools / "preload" / "build"], check=True)
        environment = film.device(tools.parent / ".build" / "preload" / "v4l2.so")
        with self.watching(film, environment=environment, limit=seconds + 60) as (served, page):
            time.sleep(3)
            before = page.evaluate("[headroom.latencies.length, headroom.gaps]") + [served.state()["dropped"]]
            page.evaluate(SAMPLER.replace("CODE", json.dumps(film.code)))
            time.sleep(seconds)
            numbers = [frame_number(cells) for cells in page.evaluate("window.seen")]
            known = [number for number in numbers if number is not None]
            steps = [(later - one) % film.frames for one, later in zip(known, known[1:])]
            shown = sum(step > 0 for step in steps)
            self.check("frames a second of a device", shown / seconds >= 24, f"{shown / seconds:.2f} distinct")
            after = page.evaluate("[headroom.latencies.length, headroom.gaps]") + [served.state()["dropped"]]
            missing = sum(step - 1 for step in steps if step > 0)
            said = after[1] - before[1] + after[2] - before[2]
            print(f"     {missing} numbers missing on screen, {said} dropped by what is said", flush=True)
            latencies = np.array(page.evaluate("headroom.latencies")[before[0]:] or [np.inf])
            median, most = np.median(latencies), np.quantile(latencies, 0.99)
            self.check("latency of a device", median < 250,
                       f"median {median:.0f} ms, 99 % {most:.0f} ms, {len(latencies)} frames")  # fmt: skip

    def canvas(self):
        film = self.film()
        with self.watching(film) as (served, page):
            frame = self.pause(served, page, film)
            shown = samples(data_of(page, """(() => { const video = document.querySelector('video');
              const canvas = document.createElement('canvas');
              [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
              canvas.getContext('2d').drawImage(video, 0, 0);
              return new Promise((resolve) => canvas.toBlob(resolve)); })()""")) / 257
            size = page.evaluate("[headroom.stream.width, headroom.stream.height]")
            self.check("size", [shown.shape[1], shown.shape[0]] == size == list(film.size), size)
            error = np.abs(shown - film.rendition(frame, *size) / 257)
            close = error.mean() < 1.5 and np.quantile(error, 0.99) < 12
            self.check("canvas against the rendition", close,
                       f"frame {frame}: mean {error.mean():.2f}, 99 % {np.quantile(error, 0.99):.1f} of 255")

    def still(self):
        film = self.film()
        with self.watching(film) as (served, page):
            self.still_is_exact(film, served, page, "pause")
            page.key(".")
            self.still_is_exact(film, served, page, "step")
            page.key("x")
            time.sleep(0.3)
            self.check("still after a change of view", page.wait("headroom.still && headroom.state.clip_warning"))
            page.key("Space")
            self.check("still is gone when it plays", page.wait("document.querySelector('#still').hidden"))

    def still_is_exact(self, film, served, page, name):
        frame = self.pause(served, page, film) if name == "pause" else self.settled(page, film)
        data = data_of(page, "headroom.stillBlob")
        width, height = page.evaluate("[headroom.stillStream.width, headroom.stillStream.height]")
        depth = page.evaluate("Math.floor(screen.colorDepth / 3)")
        again = served.ask(f"frame.png?width=1920&height=1080&range=sdr&codecs=h264&depth={depth}&tags=srgb")
        self.check(f"{name}: bytes as served", data == again, f"{len(data)} bytes")
        pixels = samples(data)
        self.check(f"{name}: size", pixels.shape[:2] == (height, width), f"{pixels.shape[1]}x{pixels.shape[0]}")
        # What is dumped are half floats.
        error = np.abs(pixels - film.rendition(frame, width, height)).max() / 257
        self.check(f"{name}: samples of headroom dump", error < 0.1, f"frame {frame}, at most {error:.3f} of 255")
        self.is_on_screen(page, name, pixels)

    def is_on_screen(self, page, name, pixels):
        """A still has a pixel of the device for each of its own, and that is what is seen."""
        self.hide_controls(page)
        box = page.evaluate("""(({ x, y, width, height }) => [x, y, width, height].map((points) =>
          points * devicePixelRatio))(document.querySelector('#still').getBoundingClientRect())""")
        height, width = pixels.shape[:2]
        is_whole = np.allclose(box, np.round(box), atol=0.02) and np.allclose(box[2:], [width, height], atol=0.02)
        self.check(f"{name}: on pixels", is_whole, box)
        shot = self.folder / "still.png"
        page.screenshot(shot)
        screen = samples(shot.read_bytes())[round(box[1]) :, round(box[0]) :][:height, :width]
        # Chromium rounds 16 bits to 8 by way of half floats.
        error = np.abs(screen / 257 - pixels / 257)
        self.check(f"{name}: on screen", error.max() < 1.5, f"at most {error.max():.2f} of 255, mean {error.mean():.3f}")

    def keys(self):
        with self.watching(self.film(30)) as (served, page):
            start = served.state()
            for key, member, holds in self.expected_changes(start):
                page.key(key)
                value = self.later(served, member, holds)
                self.check(f"key {key}", holds(value), f"{member}: {value}")
            page.key("0")
            self.later(served, "highlight", lambda value: not value)
            now = served.state()
            same = all(now[member] == start[member] for member in ("curve", "exposure", "edr", "headroom", "sdr_white"))
            self.check("key 0", same and not now["false_color"] and now["scopes"] is None)
            for key, dialog in (("?", "help"), ("d", "display"), ("s", "snapshot")):
                page.key(key)
                opened = page.wait(f"document.querySelector('#{dialog}').open", 3)
                page.key("Escape")
                self.check(f"key {key}", opened and page.wait(f"!document.querySelector('#{dialog}').open", 3), dialog)
            page.key("i")
            self.check("key i", page.wait("document.querySelector('#status').hidden", 2))
            page.key("b")
            self.check("key b", page.wait("document.body.classList.contains('bare')", 2))
            page.key("b")
            self.check_probe(page)
            page.move(*page.middle("#highlight"))
            page.click("#highlight")
            self.check("button", self.later(served, "highlight", bool) is True, "Highlight")

    def expected_changes(self, start):
        """Keys, the member that each changes, and whether a value is what it should be."""
        later = start["curves"][(start["curves"].index(start["curve"]) + 1) % len(start["curves"])]
        return [
            ("t", "curve", lambda value: value == later), ("T", "curve", lambda value: value == start["curve"]),
            ("ArrowUp", "exposure", lambda value: value == start["exposure"] + 0.25),
            ("-", "exposure", lambda value: value == start["exposure"]),
            ("]", "headroom", lambda value: value is not None and value > (start["headroom"] or 1)),
            ("W", "sdr_white", lambda value: value is not None and value > (start["sdr_white"] or 100)),
            ("e", "edr", lambda value: value is not start["edr"]), ("h", "highlight", bool), ("c", "false_color", bool),
            ("x", "clip_warning", bool), ("v", "scopes", lambda value: value == start["scopes_available"][0]),
            ("p", "paused", bool), ("Space", "paused", lambda value: not value),
        ]  # fmt: skip

    def check_probe(self, page):
        page.key("n")
        x, y = page.middle("#stage")
        page.move(x, y)
        page.move(x + 5, y)
        words = page.wait("!document.querySelector('#probe').hidden", 3) and page.evaluate(
            "document.querySelector('#probe').textContent")
        self.check("key n and the mouse", bool(words) and "cd/m²" in words, words)
        page.key("n")
        self.check("key n again", page.wait("document.querySelector('#probe').hidden", 2))

    def touch(self):
        with self.watching(self.film(30), size=(1180, 820, 2, True)) as (served, page):
            away = "document.querySelector('#controls').classList.contains('away')"
            x, y = page.middle("#stage")
            page.wait(away, 6)
            page.tap(x, y / 2)
            self.check("tap shows the controls", page.wait(f"!{away}", 2))
            page.tap(x, y / 2)
            self.check("tap hides them", page.wait(away, 2))
            page.touch("Start", (x, y))
            held = page.wait("!document.querySelector('#probe').hidden", 3)
            page.touch("Move", (x + 40, y + 20))
            time.sleep(0.3)
            box = page.evaluate("(({bottom}) => bottom)(document.querySelector('#probe').getBoundingClientRect())")
            page.touch("End")
            self.check("a finger that is held", held and box < y, f"words end {y + 20 - box:.0f} points above it")
            self.check("and lifted", page.wait("document.querySelector('#probe').hidden", 2) and page.evaluate(away))
            page.tap(x, y / 2)
            page.tap(*page.middle("#pause"))
            self.check("tap on Pause", self.later(served, "paused", bool) is True)
            page.tap(*page.middle("#false-color"))
            self.check("tap on False colour", self.later(served, "false_color", bool) is True)

    def seek(self):
        film = self.film()
        with self.watching(film) as (served, page):
            frame = self.pause(served, page, film)
            page.key("ArrowLeft", shift=True)
            back = self.settled(page, film)
            self.check("five seconds back", back == max(frame - 5 * film.rate, 0), f"{frame} to {back}")
            page.key("ArrowRight", shift=True)
            frame = self.settled(page, film)
            self.check("five seconds on", frame == back + 5 * film.rate, f"{back} to {frame}")
            page.key(",")
            back = self.settled(page, film)
            self.check("one frame back", back == frame - 1, f"{frame} to {back}")
            page.key(".")
            frame = self.settled(page, film)
            self.check("one frame further", frame == back + 1, f"{back} to {frame}")
            page.key("Home")
            self.check("to the beginning", self.settled(page, film) == 0)
            page.evaluate("""(() => { const seek = document.querySelector('#seek'); seek.value = seek.max * 0.95;
              seek.dispatchEvent(new Event('input', { bubbles: true })); })()""")
            page.key("Space")
            self.check("the end of the film", self.later(served, "ended", bool, 10) is True)
            frame = self.settled(page, film)
            self.check("still of the last frame", frame == film.frames - 1, f"frame {frame} of {film.frames}")
            page.key("Space")
            self.check("again from the beginning", self.later(served, "ended", lambda value: not value) is False)
            status = served.end()
            over = "document.querySelector('#notice').textContent.includes('over')"
            self.check("the end of the preview", page.wait(over, 5) and status == 143, f"status {status}")
            page.complaints()  # A browser may say that the connection has ended.

    def choice(self):
        with self.watching(self.film()) as (_, page):
            page.key("d")
            page.evaluate("""(() => { const list = document.querySelector('#choose-display'); list.value = 'measured';
              document.querySelector('#peak').value = 80; document.querySelector('#sdr-white').value = 80;
              list.dispatchEvent(new Event('change', { bubbles: true })); })()""")
            measured = page.wait("headroom.stream.peak === 80", 5)
            self.check("measured display", measured, page.evaluate("headroom.stream"))
            words = page.evaluate("document.querySelector('#display').innerText")
            self.check("said in words", "80 cd/m²" in words and "not supported" in words)
        with self.watching(self.film(), "--read-only") as (served, page):
            page.key("Space")
            page.key("h")
            time.sleep(0.5)
            now = served.state()
            self.check("read-only: keys change nothing", not now["paused"] and not now["highlight"])
            left = page.evaluate("[...document.querySelectorAll('.writes')].filter((one) => one.offsetParent).length")
            self.check("read-only: no such controls", left == 0, f"{left} are there")

    def sizes(self):
        for name, size in SIZES.items():
            film = self.film()
            with self.watching(film, size=size, limit=60) as (served, page):
                width, height = page.evaluate("""(({ width, height }) => [width, height].map((points) =>
                  Math.round(points * devicePixelRatio)))(document.querySelector('#stage').getBoundingClientRect())""")
                made = page.evaluate("[headroom.stream.width, headroom.stream.height]")
                fills = made[0] <= width and made[1] <= height and (width - made[0] < 2 or height - made[1] < 2)
                self.check(f"{name}: pixels", fills, f"{made} for {[width, height]}")
                box = page.evaluate("""(({ width, height }) => [width, height].map((points) =>
                  points * devicePixelRatio))(document.querySelector('video').getBoundingClientRect())""")
                self.check(f"{name}: one to one", np.allclose(box, made, atol=0.02), box)
                page.screenshot(self.pictures / f"{name}.png")
                page.key("d")
                time.sleep(0.3)
                page.screenshot(self.pictures / f"{name}-display.png")
                page.key("Escape")
                page.wait("!document.querySelector('dialog[open]')")
                self.pause(served, page, film)
                page.screenshot(self.pictures / f"{name}-paused.png")
                self.is_on_screen(page, name, samples(data_of(page, "headroom.stillBlob")))

    # What parts share ----------------------------------------------------------------------------------------------

    @property
    def pictures(self):
        folder = Path(self.options.screenshots or self.folder)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def pause(self, served, page, film):
        """Pauses, and returns the number of the frame whose still is shown."""
        page.key("Space")
        self.later(served, "paused", bool)
        return self.settled(page, film)

    def settled(self, page, film):
        """The number of the frame whose still is shown, once nothing has changed it for a while."""
        time.sleep(0.8)
        self.check("still", page.wait("headroom.still", 10))
        return frame_of(samples(data_of(page, "headroom.stillBlob")), film.code)

    def hide_controls(self, page):
        if page.evaluate("getComputedStyle(document.querySelector('#controls')).position === 'static'"):
            return
        page.move(1, 1)
        page.wait("document.querySelector('#controls').classList.contains('away')", 6)
        time.sleep(0.5)

    def later(self, served, member, holds, seconds=4):
        """A member of the state, once it is as it should be, or after some seconds."""
        end = time.monotonic() + seconds
        while not holds(value := served.state()[member]) and time.monotonic() < end:
            time.sleep(0.05)
        return value


def data_of(page, blob):
    """Bytes that only the page has: those of an expression for a Blob, or the promise of one."""
    text = page.evaluate(f"""Promise.resolve({blob}).then((blob) => new Promise((resolve) => {{
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(blob); }}))""")
    return base64.b64decode(text.split(",", 1)[1])


def main():
    parser = argparse.ArgumentParser(prog="tools/check-serve", description=__doc__.split("\n")[0])
    parser.add_argument("headroom", nargs="?", default=".build/release/headroom")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    words = browser.find()
    if not words:
        print("skipped: the page in a browser, as there is no Chromium (CHROMIUM, or chromium in PATH)")
        return 0
    with tempfile.TemporaryDirectory(prefix="check-serve-") as folder:
        checks = Checks(options, words, Path(folder))
        for part in options.only or PARTS:
            print(f"-- {part}", flush=True)
            getattr(checks, part)()
    return 1 if checks.report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
