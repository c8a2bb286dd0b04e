"""Coded pictures and their light in numpy, from the formulas of BT.2020, BT.2100 and BT.2124: what the checks compare
headroom with. Nothing of headroom is used. Requirements: ffmpeg, numpy."""

import json
import re
import subprocess
import sys
from math import log
from pathlib import Path

import numpy as np

import coded_matrices as matrices


def fail(words):
    raise SystemExit(f"{Path(sys.argv[0]).name}: {words}")


# Reading ---------------------------------------------------------------------------------------------------------

# Chroma siting (H.273): where the first chroma sample lies, in luma samples right of and below the first.
SITINGS = {
    "left": (0, 0.5), "center": (0.5, 0.5), "topleft": (0, 0), "top": (0.5, 0), "bottomleft": (0, 1), "bottom": (0.5, 1),
}  # fmt: skip


class Format:
    """Layout of raw planar Y'CbCr, R'G'B' or grey samples."""

    def __init__(self, name, width, height, bits_used=None):
        yuv = re.fullmatch(r"yuv(420|422|444)p(10le|12le)?", name)
        gray = re.fullmatch(r"gray(10le|12le|16le)?", name)
        if not yuv and not gray and name not in ("rgb48le", "gbrp", "gbrp10le", "gbrp12le"):
            fail(f"pixel format {name} is not known here")
        self.name, self.rgb, self.gray = name, not yuv and not gray, bool(gray)
        self.bits = 16 if name == "rgb48le" else int((re.search(r"(10|12|16)le", name) or [0, 8])[1])
        self.shift = self.bits - bits_used if name == "rgb48le" and bits_used else 0
        self.bits -= self.shift
        self.half = (yuv[1] != "444", yuv[1] == "420") if yuv else (False, False)
        chroma = tuple(-(-n // 2) if h else n for n, h in zip((width, height), self.half))
        self.sizes = [(height, width)] if gray else [(height, width), chroma[::-1], chroma[::-1]]
        self.type = np.dtype("u1" if self.bits == 8 else "<u2")
        self.bytes = sum(h * w for h, w in self.sizes) * self.type.itemsize

    def planes(self, data):
        data = np.frombuffer(data, self.type) >> self.shift
        if self.name == "rgb48le":
            return list(np.moveaxis(data.reshape(*self.sizes[0], 3), 2, 0))
        ends = np.cumsum([h * w for h, w in self.sizes])
        planes = [part.reshape(size) for part, size in zip(np.split(data, ends[:-1]), self.sizes)]
        return [planes[i] for i in (2, 0, 1)] if self.rgb else planes  # G, B, R to R, G, B


def raw_frames(command, layout):
    """Frames that a command writes to its standard output."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    while data := process.stdout.read(layout.bytes):
        if len(data) < layout.bytes:
            fail(f"part of a frame from: {' '.join(map(str, command))}")
        yield layout.planes(data)
    if process.wait():
        fail(f"failed: {' '.join(map(str, command))}")


class Clip:
    """What ffprobe says about the first video stream, with the assumptions for what it does not say."""

    def __init__(self, path, allows_sdr=False):
        self.path = path
        show = ["-select_streams", "v:0", "-read_intervals", "%+#1", "-show_streams", "-show_frames", "-of", "json"]
        probe = subprocess.run(["ffprobe", "-v", "error", *show, str(path)], stdout=subprocess.PIPE, check=True)
        probed = json.loads(probe.stdout)
        stream, frame = probed["streams"][0], probed["frames"][0]

        def tag(key):
            return next((s[key] for s in (frame, stream) if s.get(key, "unknown") not in ("unknown", "unspecified")), None)

        used = stream.get("bits_per_raw_sample")
        self.width, self.height = frame["width"], frame["height"]
        self.format = Format(stream["pix_fmt"], self.width, self.height, int(used) if used else None)
        self.full = tag("color_range") == "pc" or self.format.rgb and tag("color_range") != "tv"
        self.matrix = tag("color_space") or "bt2020nc"
        # FFmpeg reports R'G'B' in Y'CbCr planes either as such, or as Y'CbCr tagged "gbr".
        if self.matrix == "gbr" and self.format.name.startswith("yuv444"):
            self.format.rgb = True
        self.siting = SITINGS[tag("chroma_location") or ("left" if self.format.half[1] else "topleft")]
        self.hlg = tag("color_transfer") == "arib-std-b67"
        self.primaries = {"smpte432": "p3", "bt709": "bt709"}.get(tag("color_primaries"), "bt2020")
        self.sdr = allows_sdr and tag("color_transfer") in ("bt709", "bt2020-10", "bt2020-12", "smpte170m")
        if not self.hlg and not self.sdr and tag("color_transfer") != "smpte2084":
            fail(f"{path} is neither PQ nor HLG")
        side = {}
        for entry in stream.get("side_data_list", []) + frame.get("side_data_list", []):  # The frame's own are the last.
            side[entry["side_data_type"]] = entry
        number = lambda text: (lambda n, d=1: int(n) / int(d))(*str(text).split("/"))
        mastering = side.get("Mastering display metadata", {})
        brightest, darkest = (number(mastering.get(k, 0)) for k in ("max_luminance", "min_luminance"))
        sane = 80 <= brightest <= 10000 and darkest < brightest
        max_cll = side.get("Content light level metadata", {}).get("max_content", 0)
        self.peak = 1000.0 if self.hlg else next(v for v in (max_cll, sane and brightest, 1000.0) if v)
        self.black = 0.0 if self.hlg else darkest if sane else 0.005

    def frames(self, count):
        plain = ["-fps_mode", "passthrough", "-f", "rawvideo", "-"]
        command = ["ffmpeg", "-v", "error", "-noautorotate", "-i", self.path, "-map", "0:v:0", "-frames:v", count, *plain]
        return raw_frames([str(word) for word in command], self.format)


# Chroma ----------------------------------------------------------------------------------------------------------


def upsampled(plane, axis, size, offset):
    """Bilinear, the edge repeated. The first sample lies at `offset`, in samples of the result."""
    position = (np.arange(size) - offset) / 2
    below = np.floor(position).astype(int)
    weight = (position - below).reshape((-1, 1) if axis == 0 else (1, -1))
    at = lambda index: plane.take(np.clip(index, 0, plane.shape[axis] - 1), axis)
    return at(below) * (1 - weight) + at(below + 1) * weight


# Signal and light ------------------------------------------------------------------------------------------------

LUMA = {"bt601": (0.299, 0.587, 0.114), "bt709": (0.2126, 0.7152, 0.0722), "bt2020": (0.2627, 0.6780, 0.0593)}


def rgb_signal(codes, luma, bits, full=False):
    """R'G'B' of Y'CbCr codes, on a first axis."""
    unit = 1 << (bits - 8)
    highest = 256 * unit - 1
    scale, zero, chroma_scale = (highest, 0, highest) if full else (219 * unit, 16 * unit, 224 * unit)
    y, cb, cr = (codes[0] - zero) / scale, *((c - 128 * unit) / chroma_scale for c in codes[1:])
    kr, kg, kb = LUMA[luma]
    r, b = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    return np.stack([r, (y - kr * r - kb * b) / kg, b])


def normalized(codes, bits, full, luma_scale=False):
    """Y' 0 to 1 and chroma -0.5 to 0.5 of codes; R'G'B' where `luma_scale` is None. BT.2100 table 9, H.273 8.3."""
    unit = 1 << (bits - 8)
    scale, zero, chroma_scale = ((256 * unit - 1), 0, 256 * unit - 1) if full else (219 * unit, 16 * unit, 224 * unit)
    if luma_scale is None:
        return np.stack([(c - zero) / scale for c in codes])
    chroma_scale = scale if luma_scale else chroma_scale
    return np.stack([(codes[0] - zero) / scale, *((c - 128 * unit) / chroma_scale for c in codes[1:])])


def signal(planes, clip):
    """R'G'B' of coded samples, on a first axis."""
    codes = [plane.astype(float) for plane in planes]
    if clip.format.gray:
        return np.repeat(normalized(codes, clip.format.bits, clip.full, None), 3, axis=0)
    if clip.format.rgb:
        return normalized(codes, clip.format.bits, clip.full, None)
    for axis, half, offset in ((0, clip.format.half[1], clip.siting[1]), (1, clip.format.half[0], clip.siting[0])):
        if half:
            size = (clip.height, clip.width)[axis]
            codes[1:] = [upsampled(plane, axis, size, offset) for plane in codes[1:]]
    return matrices.rgb_of(normalized(codes, clip.format.bits, clip.full, clip.matrix == "ycgco"), clip)


M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128


def pq_light(e):  # cd/m2
    e = np.clip(e, 0, 1) ** (1 / M2)
    return 10000 * (np.maximum(e - C1, 0) / (C2 - C3 * e)) ** (1 / M1)


def pq_signal(nits):
    y = (np.clip(nits, 0, 10000) / 10000) ** M1
    return ((C1 + C2 * y) / (1 + C3 * y)) ** M2


HLG_A = 0.17883277
HLG_B, HLG_C = 1 - 4 * HLG_A, 0.5 - HLG_A * log(4 * HLG_A)
HLG_GAMMA, HLG_PEAK = 1.2, 1000.0


def weighted(weights, rgb):
    return sum(w * c for w, c in zip(weights, rgb))


def hlg_light(e, full=False):  # cd/m2 on a display of 1000; super-white of narrow range is brighter than white
    e = np.clip(e, 0, 1 if full else 239 / 219)
    scene = np.where(e <= 0.5, e**2 / 3, (np.exp((e - HLG_C) / HLG_A) + HLG_B) / 12)
    return HLG_PEAK * weighted(LUMA["bt2020"], scene) ** (HLG_GAMMA - 1) * scene


# Primaries and colour difference ------------------------------------------------------------------------------------

PRIMARIES = {
    "bt709": ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    "p3": ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06)),
}


def to_xyz(name):
    xyz = lambda x, y: (x / y, 1, (1 - x - y) / y)
    columns = np.array([xyz(*xy) for xy in PRIMARIES[name]]).T
    return columns * np.linalg.solve(columns, xyz(0.3127, 0.3290))


def conversion(source, target):
    return np.linalg.solve(to_xyz(target), to_xyz(source))


LMS = np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
OPPONENTS = np.array([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]) / 4096


def ictcp(nits):
    """I, Ct, Cp of BT.2100 on the first axis, of linear BT.2020 components in cd/m2."""
    return np.tensordot(OPPONENTS, pq_signal(np.tensordot(LMS, nits, 1)), 1)


def delta_e_itp(first, second):
    """Difference of BT.2124 between colours in I, Ct, Cp; 1 is just noticeable."""
    i, t, p = first - second
    return 720 * np.sqrt(i**2 + (t / 2) ** 2 + p**2)


def sdr_light(e):
    """R'G'B' in BT.709, shown by BT.1886 with white at 100 cd/m2 and black at 0: linear BT.2020 components in cd/m2."""
    return 100 * np.tensordot(conversion("bt709", "bt2020"), np.clip(e, 0, 1) ** 2.4, 1)
