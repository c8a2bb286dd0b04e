#!/usr/bin/env python3
"""Writes the reference vectors of Tests/*/Vectors from implementations that are not this project's.

Colour science comes from colour-science; the curves of SMPTE ST 2094-50 are evaluated by SciPy's Hermite spline, that of
ST 2094-40 by its Bernstein polynomials; BT.2446 A and libplacebo's spline are written out here from their sources a
second time, as is the default curve from decision 0032.

Requirements (pip install):
    colour-science==0.4.7
    scipy==1.17.1

Usage: tools/reference-vectors.py    (from the root of the repository; prints nothing)
"""

import json
import math
import warnings
from pathlib import Path

warnings.simplefilter("ignore")  # colour-science warns about optional packages.

import colour
import numpy as np
from colour.adaptation import matrix_chromatic_adaptation_VonKries
from colour.models.rgb.transfer_functions import itur_bt_2020, itur_bt_2100
from scipy.interpolate import BPoly, CubicHermiteSpline, PchipInterpolator

ROOT = Path(__file__).resolve().parent.parent / "Tests"
COLORS = [
    [1.0, 1.0, 1.0], [0.5, 0.5, 0.5], [0.9, 0.1, 0.05], [0.1, 0.8, 0.2], [0.05, 0.15, 0.7], [0.02, 0.6, 0.61],
    [0.003, 0.001, 0.002], [0.0, 0.0, 0.0],
]  # fmt: skip
SPACES = {
    "bt709": "ITU-R BT.709", "bt2020": "ITU-R BT.2020", "displayP3": "Display P3", "dciP3": "DCI-P3",
    "bt470BG": "ITU-R BT.470 - 625", "smpte170M": "SMPTE C", "film": "ITU-T H.273 - Generic Film",
    "ebu3213": "ITU-T H.273 - 22 Unspecified",
}  # fmt: skip


def floats(values):
    return [float(v) for v in np.ravel(values)]


def write(target, name, value):
    folder = ROOT / target / "Vectors"
    folder.mkdir(parents=True, exist_ok=True)
    lines = {k: "[\n  " + ",\n  ".join(json.dumps(row) for row in rows) + "\n]" for k, rows in value.items()}
    text = "{\n" + ",\n".join(f"{json.dumps(k)}: {rows}" for k, rows in lines.items()) + "\n}\n"
    (folder / f"{name}.json").write_text(text)


def transfer_functions():
    signals = floats(np.linspace(0, 1, 33))
    write("ColorScienceTests", "pq", {"eotf": [[s, float(colour.models.eotf_BT2100_PQ(s))] for s in signals]})
    eotf = []
    for peak, black in [(400, 0), (1000, 0), (1000, 0.005), (2000, 0.1)]:
        for color in COLORS:
            nits = itur_bt_2100.eotf_BT2100_HLG(np.array(color), black, peak)
            eotf.append({"peak": peak, "black": black, "signal": color, "nits": floats(nits)})
    write("ColorScienceTests", "hlg", {
        "oetf": [[s, float(itur_bt_2100.oetf_BT2100_HLG(s))] for s in signals],
        "eotf": eotf,
    })  # fmt: skip
    write("ColorScienceTests", "bt1886", {"eotf": [
        {"white": white, "black": black, "signal": s, "nits": float(colour.models.eotf_BT1886(s, black, white))}
        for white, black in [(1, 0), (100, 0), (100, 0.05), (203, 0.0005)] for s in signals[::4]
    ]})  # fmt: skip
    # The four-digit constants of twelve-bit systems are the closest that colour-science has.
    write("ColorScienceTests", "camera", {
        "bt2020": [[s, float(itur_bt_2020.oetf_BT2020(s, is_12_bits_system=True))] for s in signals],
        "srgb": [[s, float(colour.models.eotf_sRGB(s))] for s in signals],
    })  # fmt: skip


def spaces():
    def to_xyz(name):
        space = colour.RGB_COLOURSPACES[SPACES[name]]
        return colour.normalised_primary_matrix(space.primaries, space.whitepoint), space.whitepoint

    rows = []
    for source in SPACES:
        for target in SPACES:
            (s, s_white), (t, t_white) = to_xyz(source), to_xyz(target)
            adapt = np.identity(3)
            if tuple(s_white) != tuple(t_white):
                whites = [colour.xy_to_XYZ(w) for w in (s_white, t_white)]
                adapt = matrix_chromatic_adaptation_VonKries(*whites, "Bradford")
            rows.append({"from": source, "to": target, "elements": floats(np.linalg.inv(t) @ adapt @ s)})
    write("ColorScienceTests", "matrices", {"conversions": rows})


def ycbcr():
    rows = []
    for name, weights in [("bt601", "ITU-R BT.601"), ("bt709", "ITU-R BT.709"), ("bt2020", "ITU-R BT.2020")]:
        k = colour.WEIGHTS_YCBCR[weights]
        for color in COLORS:
            signal = colour.RGB_to_YCbCr(color, K=k, out_legal=False, out_int=False)
            for bits in (8, 10, 12):
                codes = colour.RGB_to_YCbCr(color, K=k, out_bits=bits, out_legal=True, out_int=True)
                rows.append({"matrix": name, "bits": bits, "rgb": color, "ycbcr": floats(signal),
                             "codes": [int(c) for c in codes]})  # fmt: skip
    write("ColorScienceTests", "ycbcr", {"colors": rows})


def ictcp():
    nits = [[c * scale for c in color] for color in COLORS for scale in (10, 203, 10000)]
    pq = [colour.RGB_to_ICtCp(n, method="ITU-R BT.2100-2 PQ") for n in nits]
    write("ColorScienceTests", "ictcp", {
        "pq": [{"rgb": n, "ictcp": floats(i)} for n, i in zip(nits, pq)],
        "hlg": [{"rgb": c, "ictcp": floats(colour.RGB_to_ICtCp(c, method="ITU-R BT.2100-2 HLG"))} for c in COLORS],
    })  # fmt: skip
    write("ColorScienceTests", "delta-e", {"pairs": [
        {"first": floats(a), "second": floats(b), "deltaE": float(colour.delta_E(a, b, method="ITP"))}
        for a, b in zip(pq, pq[1:])
    ]})  # fmt: skip


def smooth_gain(baseline, white, headroom):
    """docs/decisions/0032: the gain in stops as a function of max(R, G, B)."""
    p = 2**baseline
    excess = white * p / 2**headroom
    k = 2.1 * math.log(p) / math.log(excess) / min(math.log(p) / math.log(600 / 203), 1)
    e = math.log(excess) / math.log((1 + p**k) / 2)
    return lambda v: math.log2(white * (2 / (1 + v**k)) ** e)


def reference_white_gain(baseline, white, headroom):
    """SMPTE ST 2094-50, C.3.8: the gain in stops as a function of max(R, G, B)."""
    k, m = np.array([1, white]), np.array([2**baseline, 2**headroom])
    mid = 0.35 * k + 0.65 * np.array([m[1] / white, m[1]])
    t = np.linspace(0, 1, 8)[:, None]
    x, y = ((1 - t) ** 2 * k + 2 * t * (1 - t) * mid + t**2 * m).T
    dx, dy = (2 * (1 - t) * (mid - k) + 2 * t * (m - mid)).T
    curve = CubicHermiteSpline(x, np.log2(y / x), (x * dy / dx - y) / (math.log(2) * x * y))
    return lambda v: float(curve(np.clip(v, x[0], x[-1]))) + (math.log2(x[-1] / v) if v > x[-1] else 0)


def reference_white(peak, target, v, rendition=reference_white_gain, white=0.5):
    """Output relative to SDR white for an input relative to reference white."""
    h, t = min(math.log2(peak / 203), 6 if rendition is reference_white_gain else 64), math.log2(target)
    if t >= h:
        return min(v, target)
    r = min(h / math.log2(1000 / 203), 1)
    middle = math.log2(8 / 3) * r
    stops = [(0, rendition(h, 1 - (1 - white) * r, 0)(v)), (middle, rendition(h, 1, middle)(v)), (h, 0)]
    gain = np.interp(t, [s[0] for s in stops], [s[1] for s in stops])
    return min(v * 2**gain, target)


def bt2446a(content, display, rgb):
    """ITU-R BT.2446-1, method A, to display light by a power of 2.4."""
    r, g, b = (np.array(rgb) / content) ** (1 / 2.4)
    y = 0.2627 * r + 0.6780 * g + 0.0593 * b
    rho_hdr, rho_sdr = (1 + 32 * (p / 10000) ** (1 / 2.4) for p in (content, display))
    p = math.log(1 + (rho_hdr - 1) * y) / math.log(rho_hdr)
    if p <= 0.7399:
        c = 1.0770 * p
    elif p < 0.9909:
        c = -1.1510 * p * p + 2.7811 * p - 0.6302
    else:
        c = 0.5 * p + 0.5
    sdr = (rho_sdr**c - 1) / (rho_sdr - 1)
    f = sdr / (1.1 * y)
    cb, cr = f * (b - y) / 1.8814, f * (r - y) / 1.4746
    luma = sdr - max(0.1 * cr, 0)
    red, blue = luma + 1.4746 * cr, luma + 1.8814 * cb
    signal = np.array([red, (luma - 0.2627 * red - 0.0593 * blue) / 0.6780, blue])
    return floats(np.clip(np.sign(signal) * np.abs(signal) ** 2.4, -1, 1) * display)


def libplacebo_spline(content, black, display, nits):
    """libplacebo 7, tone_mapping.c: knee without a scene average, then the spline, on PQ."""
    pq, mix = lambda n: float(colour.models.eotf_inverse_BT2100_PQ(n)), lambda a, b, t: a + (b - a) * t
    in_min, in_max, out_min, out_max = pq(black), pq(content), pq(0), pq(display)
    src = mix(in_min, in_max, 0.4)
    dst = np.clip(mix(src, mix(out_min, out_max, 0.4), 0.4), mix(out_min, out_max, 0.1), mix(out_min, out_max, 0.8))
    slope = ((dst - out_min) / (src - in_min)) ** (0.5 * np.clip(1.5 * (in_max / out_max - 1), 0.2, 1.2))
    i0, i1, o0, o1 = in_min - src, in_max - src, out_min - dst, out_max - dst
    x = np.clip(pq(nits), in_min, in_max) - src
    if x > 0:
        t = 2 * i1 * i1
        qa, qb = (slope * i1 - o1) / (i1 * t), -3 * (slope * i1 - o1) / t
        y = ((qa * x + qb) * x + slope) * x
    else:
        y = ((o0 - slope * i0) / (i0 * i0) * x + slope) * x
    return float(colour.models.eotf_BT2100_PQ(y + dst))


def tone_curves():
    levels = [0.5, 5, 26, 100, 150, 203, 300, 500, 700, 1000, 1500, 2500, 4000, 8000, 10000]
    for name, rendition in (("reference-white", ()), ("system", (smooth_gain, 0.47))):
        write("ToneMappingTests", name, {"outputs": [
            {"peak": peak, "headroom": headroom, "nits": n, "output": reference_white(peak, headroom, n / 203, *rendition)}
            for peak in (300, 1000, 4000, 10000) for headroom in (1, 1.5, 2, 4, 8, 16) for n in levels if n <= peak
        ]})  # fmt: skip
    write("ToneMappingTests", "bt2446a", {"colors": [
        {"content": content, "display": display, "rgb": rgb, "output": bt2446a(content, display, rgb)}
        for content, display in [(1000, 100), (4000, 203), (1000, 600)]
        for rgb in [[c * content for c in color] for color in COLORS if any(color)]
    ]})  # fmt: skip
    write("ToneMappingTests", "spline", {"outputs": [
        {"content": c, "black": black, "display": d, "nits": n, "output": libplacebo_spline(c, black, d, n)}
        for c, black, d in [(1000, 0, 203), (4000, 0.005, 600), (10000, 0, 100)] for n in levels if n <= c
    ]})  # fmt: skip


class Bits:
    """Unsigned integers of any width, most significant bit first."""

    def __init__(self):
        self.text = ""

    def put(self, *fields):
        for value, width in fields:
            self.text += format(value, f"0{width}b")

    def bytes(self):
        assert len(self.text) % 8 == 0
        return [int(self.text[i : i + 8], 2) for i in range(0, len(self.text), 8)]


GAIN_SPACES = {0: "bt709", 1: "displayP3", 2: "bt2020"}
MIXES = {0: [0, 0, 0, 1, 0, 0], 2: [1 / 6, 1 / 6, 1 / 6, 1 / 2, 0, 0]}


def adaptive_payload(m):
    """SMPTE ST 2094-50, C.2."""
    b = Bits()
    b.put((0, 3), (0, 3), (0, 2), (1 if m["white"] else 0, 1), (1, 1), (0, 6))
    if m["white"]:
        b.put((m["white"], 16))
    b.put((m["baseline"], 16), (0, 1), (len(m["alternates"]), 3), (m["space"], 2), (1, 1), (m["common"], 1))
    for index, a in enumerate(m["alternates"]):
        b.put((a["headroom"], 16))
        if index == 0:
            if isinstance(m["mix"], list):
                b.put((3, 2), *((1 if w else 0, 1) for w in m["mix"]), *((w, 16) for w in m["mix"] if w))
            else:
                b.put((m["mix"], 2), (0, 6))
        if index == 0 or not m["common"]:
            b.put((len(a["x"]) - 1, 5), (0 if "theta" in a else 1, 1), (0, 2), *((x, 16) for x in a["x"]))
        b.put(*((y, 16) for y in a["y"]), *((t, 16) for t in a.get("theta", [])))
    return b.bytes()


def adaptive_output(m, headroom, rgb):
    """SMPTE ST 2094-50, 6 and annex A, BT.2020 cd/m² to those of a display whose SDR white is 100 cd/m²; one gain, limited
    by the display's peak."""
    white = m["white"] / 5 if m["white"] else 203
    names = [colour.RGB_COLOURSPACES[SPACES[n]] for n in ("bt2020", GAIN_SPACES[m["space"]])]
    source, target = (colour.normalised_primary_matrix(s.primaries, [0.3127, 0.3290]) for s in names)
    c = np.linalg.inv(target) @ source @ (np.array(rgb) / white)
    coded = m["mix"]
    k = np.array(coded) / sum(coded) if isinstance(coded, list) else np.array(MIXES[coded])
    mixed = float(k[:3] @ c + k[3] * c.max() + k[4] * c.min())
    gains = [(m["baseline"] / 1e4, 0.0)]
    for a in m["alternates"]:
        x, y = np.array(a["x"]) / 1000, np.array(a["y"]) / 1e4 * (1 if m["baseline"] < a["headroom"] else -1)
        if "theta" in a:
            curve = CubicHermiteSpline(x, y, np.tan((np.array(a["theta"]) - 18000) * math.pi / 36000))
        else:
            curve = PchipInterpolator(x, y)
        beyond = math.log2(x[-1] / mixed) if mixed > x[-1] else 0
        gains.append((a["headroom"] / 1e4, float(curve(np.clip(mixed, x[0], x[-1]))) + beyond))
    gains.sort()
    stops = np.interp(math.log2(headroom), [g[0] for g in gains], [g[1] for g in gains])
    gain = min(2**stops / white, headroom / max(rgb))
    return floats(np.array(rgb) * gain * 100)


def hdr10_plus(m, display, nits):
    """libplacebo, tone_mapping.c, st2094_40, without blacks; the curve by SciPy.

    For a brighter display its comment gives "f(Kx) = Kx", which is kx * peak / display: a luminance keeps its value.
    """
    peak, kx, ky = m["peak"], m["knee"][0] / 4095, m["knee"][1] / 4095
    if display >= peak:
        return min(nits, display)
    mix = lambda a, b, t: a + (b - a) * t
    p = [0.0] + [a / 1023 for a in m["anchors"]] + [1.0]
    n, target = len(p) - 1, min(m["target"], peak)
    if m["target"] >= peak:
        ky, p = kx, [i / n for i in range(n + 1)]

    def intercept():
        return 1 / n if kx <= 0 or ky >= 1 else min(ky / kx * (1 - kx) / (1 - ky) / n, 1)

    def kept():
        beta = n * kx / (1 - kx)
        return min(kx * peak / display, beta / (beta + 1))

    if display < target:
        u = display / target
        kx, ky = kx * u, ky * u
        ky = mix(kept(), ky, u)
        p[2:] = [mix(1, v, u) for v in p[2:]]
        p[1] = mix(intercept(), p[1], u)
    elif display > target:
        w = (1 - (display - target) / (peak - target)) ** 1.4
        ky = mix(kept(), ky * target / display, w)
        p[2:n] = [mix(i / n, p[i], w) for i in range(2, n)]
        p[1] = mix(intercept(), p[1], w)
    x = min(nits / peak, 1)
    if x <= kx and kx:
        return x * ky / kx * display
    return (ky + (1 - ky) * float(BPoly(np.array(p)[:, None], [0, 1])((x - kx) / (1 - kx)))) * display


def dynamic_curves():
    slopes = [18000, 17000, 16000, 17000, 17900]
    maps = [
        {"white": 0, "baseline": 23000, "space": 2, "mix": 0, "common": 0, "alternates": [
            {"headroom": 0, "x": [250, 1000, 2500, 4925], "y": [0, 10000, 17000, 23000]},
            {"headroom": 12000, "x": [800, 2000, 4925], "y": [0, 2500, 11000]}]},
        {"white": 500, "baseline": 30000, "space": 1, "mix": 2, "common": 1, "alternates": [
            {"headroom": 0, "x": [0, 500, 1000, 3000, 8000], "y": [0, 3000, 9000, 20000, 30000], "theta": slopes},
            {"headroom": 10000, "x": [0, 500, 1000, 3000, 8000], "y": [0, 0, 1000, 9000, 20000], "theta": slopes}]},
        {"white": 0, "baseline": 10000, "space": 0, "mix": [10000, 20000, 5000, 25000, 5000, 0], "common": 0,
         "alternates": [{"headroom": 0, "x": [1000, 1500, 2000], "y": [2000, 6000, 10000]},
                        {"headroom": 25000, "x": [500, 1000, 2000], "y": [0, 6000, 15000]}]},
    ]  # fmt: skip
    colors = [[203, 203, 203], [20, 10, 5], [900, 400, 100], [50, 700, 300], [10, 30, 600], [1000, 990, 1010]]
    write("ToneMappingTests", "st2094-50", {"outputs": [
        {"payload": adaptive_payload(m), "headroom": h, "rgb": c, "output": adaptive_output(m, h, c)}
        for m in maps for h in (1, 1.5, 3, 4.5, 8) for c in colors
    ]})  # fmt: skip
    scenes = [
        {"peak": 990, "target": 400, "knee": [32, 80], "anchors": [169, 329, 501, 585, 628, 671, 757, 859, 936]},
        {"peak": 1425.2, "target": 400, "knee": [17, 64], "anchors": [265, 666, 741, 800, 848, 887, 920, 945, 957]},
        {"peak": 550, "target": 1000, "knee": [0, 0], "anchors": [102, 205, 307, 410, 512, 614, 717, 819, 922]},
        {"peak": 4000, "target": 500, "knee": [400, 1500], "anchors": [700]},
    ]  # fmt: skip
    write("ToneMappingTests", "st2094-40", {"outputs": [
        {**m, "display": d, "nits": n, "output": hdr10_plus(m, d, n)}
        for m in scenes for d in (100, 203, 400, 600, 1000) for n in (0.5, 5, 26, 100, 203, 500, 900, 3000)
    ]})  # fmt: skip


def reference_mode():
    """What reference mode shows: SDR white at 100 cd/m², HDR as it is, clipped at 1000 cd/m² and to P3."""
    greys = [[n / 4095] * 3 for n in range(0, 4096, 105)]
    steps = [0, 1024 / 4095, 2048 / 4095, 3071 / 4095, 1]
    signals = greys + [[r, g, b] for r in steps for g in steps for b in steps]

    def hlg(v):
        return itur_bt_2100.eotf_BT2100_HLG(v, L_B=0, L_W=1000, gamma=1.2)

    formats = {
        "bt709": ("ITU-R BT.709", 1, 1, lambda v: colour.models.eotf_BT1886(v, L_B=0, L_W=100)),
        "bt601SMPTEC": ("SMPTE C", 6, 6, lambda v: colour.models.eotf_BT1886(v, L_B=0, L_W=100)),
        "bt601EBU": ("ITU-R BT.470 - 625", 5, 6, lambda v: colour.models.eotf_BT1886(v, L_B=0, L_W=100)),
        "sRGB": ("ITU-R BT.709", 1, 13, lambda v: colour.models.eotf_sRGB(v) * 100),
        "pq": ("ITU-R BT.2020", 9, 16, colour.models.eotf_ST2084),
        "hlg": ("ITU-R BT.2020", 9, 18, hlg),
    }
    p3 = colour.RGB_COLOURSPACES["Display P3"]
    d65 = np.array([0.3127, 0.3290])

    def matrix(name):
        space = colour.RGB_COLOURSPACES[name]
        return colour.normalised_primary_matrix(space.primaries, d65)

    to_p3 = np.linalg.inv(colour.normalised_primary_matrix(p3.primaries, d65))
    rows = []
    for name, (space, primaries, transfer, eotf) in formats.items():
        light = np.array([eotf(np.array(s)) for s in signals])
        shown = light @ (to_p3 @ matrix(space)).T
        rows += [
            {"format": name, "primaries": primaries, "transfer": transfer, "signal": floats(s),
             "nits": floats(np.clip(n, 0, 1000))}
            for s, n in zip(signals, shown)
        ]  # fmt: skip
    write("SessionsTests", "reference-mode", {"colors": rows})


def display_pixels():
    """R'G'B' of a display for BT.709 content that BT.1886 shows with SDR white as its white: in its own primaries, through the inverse of
    its transfer function. The last display has a white that is fine-tuned."""
    steps = [0, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    signals = [(s, s, s) for s in steps] + [(0.8, 0.4, 0.3), (0.2, 0.7, 0.4), (0.1, 0.3, 0.9), (0.9, 0.8, 0.1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    signals = np.round(np.array(signals) * 4095) / 4095
    bt709 = colour.RGB_COLOURSPACES["ITU-R BT.709"]
    custom = colour.RGB_Colourspace("custom", [[0.69, 0.3], [0.18, 0.74], [0.145, 0.05]], [0.3127, 0.329])
    p3, dci = colour.RGB_COLOURSPACES["P3-D65"], colour.RGB_COLOURSPACES["DCI-P3"]
    measured = colour.RGB_Colourspace("measured", p3.primaries, [0.305, 0.32])
    # The drive that gives the measured display the target's white.
    drive = np.linalg.inv(measured.matrix_RGB_to_XYZ) @ colour.xy_to_XYZ(p3.whitepoint)
    displays = [
        ("p3-d65", p3, 48, 48, lambda v: v ** (1 / 2.6), None), ("p3-dci", dci, 48, 48, lambda v: v ** (1 / 2.6), None),
        ("srgb", bt709, 100, 100, colour.models.eotf_inverse_sRGB, None),
        ("custom", custom, 400, 250, lambda v: v ** (1 / 2.35), None),
        ("pq", custom, 400, 250, lambda v: colour.models.eotf_inverse_BT2100_PQ(v * 400), None),
        # Source: ITU-R BT.1886, annex 1, with a black of 0.4 cd/m2 that the display adds.
        ("bt1886", bt709, 400, 250, lambda v: ((v * (1 - 0.001) + 0.001) ** (1 / 2.4) - 0.001 ** (1 / 2.4)) / (1 - 0.001 ** (1 / 2.4)), None),
        ("white", p3, 100, 100, lambda v: v ** (1 / 2.2), drive / drive.max()),
    ]
    rows = []
    for name, space, peak, white, inverse, gains in displays:
        m = colour.matrix_RGB_to_RGB(bt709, space, "Bradford")
        for s in signals:
            light = m @ np.power(s, 2.4) * white / peak * (1 if gains is None else gains)
            rows.append({"display": name, "signal": floats(s), "code": floats(inverse(np.clip(light, 0, 1)))})
    write("SessionsTests", "display-pixels", {"colors": rows})


transfer_functions()
spaces()
ycbcr()
ictcp()
tone_curves()
dynamic_curves()
reference_mode()
display_pixels()
