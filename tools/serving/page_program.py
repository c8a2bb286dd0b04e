"""headroom as the checks of its page use it: films to show, a preview that is served, and requests of its interface."""

import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np


class Film:
    """A film whose frames say which they are: the pattern `counter` in SDR."""

    def __init__(self, program, folder, seconds, rate=30, size=(1920, 1080)):
        self.program, self.rate, self.size = program, rate, size
        self.frames = seconds * rate
        self.path = Path(folder) / f"counter-{seconds}.mp4"
        pattern = [program, "pattern", "counter", "--to", "sdr", "--size", f"{size[0]}x{size[1]}"]
        if not self.path.exists():
            run(*pattern, "--rate", rate, "--duration", seconds, "-c:v", "libx264", "--preset", "ultrafast", "-q",
                "-o", self.path)  # fmt: skip
        described = json.loads(run(*pattern, "--describe", "--json"))
        code = described["frame_code"]
        # In fractions of the picture: left, top, width, height.
        self.code = [code["x"] / size[0], code["y"] / size[1], code["width"] / size[0], code["height"] / size[1]]

    def device(self, library):
        """The environment of a capture device whose frames are those of the film, again and again."""
        raw = self.path.with_suffix(".nv12")
        run("ffmpeg", "-v", "error", "-y", "-i", self.path, "-pix_fmt", "nv12", "-f", "rawvideo", raw)
        mode = f"NV12:{self.size[0]}x{self.size[1]}@{self.rate}"
        return {"LD_PRELOAD": str(library), "V4L2_PRELOAD_MODES": mode, "V4L2_PRELOAD_FILE": str(raw),
                "V4L2_PRELOAD_COLOR": "3:1:2:2"}  # fmt: skip

    def rendition(self, frame, width, height):
        """What SDR video of a size has of a frame, as 16 bits: light by `headroom dump`, coded by BT.1886."""
        raw = run(
            self.program, "dump", self.path, "--frames", f"{frame}-{frame}", "--scale", f"{width}x{height}",
            "--space", "linear-srgb", "--stage", "mapped", "-f", "rgba16f", "-q", "-o", "-")  # fmt: skip
        light = np.frombuffer(raw, "<f2")[-width * height * 4 :].reshape(height, width, 4)[..., :3].astype(float)
        return np.clip(light, 0, 1) ** (1 / 2.4) * 65535


def run(*words):
    """Standard output of a command."""
    words = [str(word) for word in words]
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    except subprocess.CalledProcessError as failed:
        raise SystemExit(f"check-serve: {' '.join(words)}: {failed.stderr.decode(errors='replace')}") from None


class Served:
    """`headroom serve`, until the block ends."""

    def __init__(self, program, *words, environment=None):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [str(word) for word in (program, "serve", *words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.log, text=True, env={**os.environ, **(environment or {})})
        self.url = self._first_line(20)
        parts = urllib.parse.urlsplit(self.url)
        self.base = f"{parts.scheme}://{parts.netloc}/api/v1"
        self.token = parts.path.strip("/")

    def _first_line(self, seconds):
        found = []

        def read():
            for line in self.process.stdout:
                if address := re.search(r"https?://\S+/[0-9a-f]{32}/", line):
                    found.append(address[0])
                    break

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(seconds)
        if not found:
            self.process.kill()
            self.process.wait()
            self.log.seek(0)
            raise SystemExit(f"check-serve: no URL was printed: {self.log.read().decode(errors='replace')}")
        return found[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """Asks it to end, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(10)

    def ask(self, path, change=None):
        """The body of an answer."""
        headers = {"Authorization": f"Bearer {self.token}"}
        body = None
        if change is not None:
            headers["Content-Type"], body = "application/json", json.dumps(change).encode()
        request = urllib.request.Request(f"{self.base}/{path}", body, headers, method="PATCH" if body else "GET")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.read()
        except urllib.error.HTTPError as refused:
            raise SystemExit(f"check-serve: {path}: {refused.code} {refused.read().decode(errors='replace')}") from None

    def state(self):
        return json.loads(self.ask("state"))

    def change(self, **members):
        return json.loads(self.ask("state", members))
