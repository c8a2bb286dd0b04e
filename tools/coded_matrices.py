"""R'G'B' of the components of a picture for the matrix coefficients of H.273, in numpy, from the formulas of H.273 8.3,
BT.2020 table 4 and BT.2100 table 7. Nothing of headroom is used."""

from math import log

import numpy as np

# KR, KB of the fixed matrices, by ffmpeg's names.
WEIGHTS = {
    "bt709": (0.2126, 0.0722), "fcc": (0.30, 0.11), "bt470bg": (0.299, 0.114), "smpte170m": (0.299, 0.114),
    "smpte240m": (0.212, 0.087), "bt2020nc": (0.2627, 0.0593),
}  # fmt: skip

CHROMATICITIES = {  # Red, green, blue, white.
    "bt709": ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06), (0.3127, 0.3290)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), (0.3127, 0.3290)),
    "p3": ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06), (0.3127, 0.3290)),
}


def derived_weights(primaries):
    """KR and KB of chromaticities: H.273, the equations for MatrixCoefficients 12 and 13, as they are printed."""
    (xr, yr), (xg, yg), (xb, yb), (xw, yw) = CHROMATICITIES[primaries]
    zr, zg, zb, zw = 1 - xr - yr, 1 - xg - yg, 1 - xb - yb, 1 - xw - yw
    below = yw * (xr * (yg * zb - yb * zg) + xg * (yb * zr - yr * zb) + xb * (yr * zg - yg * zr))
    kr = yr * (xw * (yg * zb - yb * zg) + yw * (xb * zg - xg * zb) + zw * (xg * yb - xb * yg)) / below
    kb = yb * (xw * (yr * zg - yg * zr) + yw * (xg * zr - xr * zg) + zw * (xr * yg - xg * yr)) / below
    return kr, kb


# Transfer functions of coders, on 0 to 1. Power 0.45 with alpha and beta: BT.709, BT.2020 --------------------------------

ALPHA, BETA = 1.09929682680944, 0.018053968510807


def camera(light):
    light = np.clip(light, 0, 1)
    return np.where(light < BETA, 4.5 * light, ALPHA * light**0.45 - (ALPHA - 1))


def camera_light(signal):
    signal = np.clip(signal, 0, 1)
    return np.where(signal < 4.5 * BETA, signal / 4.5, ((signal + ALPHA - 1) / ALPHA) ** (1 / 0.45))


M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128


def pq(light):
    y = np.clip(light, 0, 1) ** M1
    return ((C1 + C2 * y) / (1 + C3 * y)) ** M2


def pq_light(signal):
    e = np.clip(signal, 0, 1) ** (1 / M2)
    return (np.maximum(e - C1, 0) / (C2 - C3 * e)) ** (1 / M1)


A = 0.17883277
B, C = 1 - 4 * A, 0.5 - A * log(4 * A)


def hlg(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= 1 / 12, np.sqrt(3 * light), A * np.log(np.maximum(12 * light - B, 1e-9)) + C)


def hlg_light(signal):
    signal = np.clip(signal, 0, 1)
    return np.where(signal <= 0.5, signal**2 / 3, (np.exp((signal - C) / A) + B) / 12)


def curves(clip):
    """From light to signal, and back."""
    return (camera, camera_light) if clip.sdr else (hlg, hlg_light) if clip.hlg else (pq, pq_light)


# Matrices ---------------------------------------------------------------------------------------------------------


def by_weights(components, kr, kb):
    y, cb, cr = components
    r, b = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    return np.stack([r, (y - kr * r - kb * b) / (1 - kr - kb), b])


def constant_luminance(components, kr, kb, clip, printed):
    """Y'c is the curve of luminance; B' - Y'c and R' - Y'c have other scales below 0 and above."""
    y, cb, cr = components
    coded, light = curves(clip)
    if printed:  # BT.2020 table 4.
        nb, pb, nr, pr = 1.9404, 1.5816, 1.7184, 0.9936
    else:  # H.273: NB = (1 - KB)', PB = 1 - (KB)', and NR, PR alike.
        nb, pb, nr, pr = (2 * float(v) for v in (coded(1 - kb), 1 - coded(kb), coded(1 - kr), 1 - coded(kr)))
    b, r = y + cb * np.where(cb > 0, pb, nb), y + cr * np.where(cr > 0, pr, nr)
    green = (light(y) - kr * light(r) - kb * light(b)) / (1 - kr - kb)
    return np.stack([r, coded(green), b])


def ictcp(components, clip):
    """BT.2100 table 7: L'M'S' by the matrix of the curve, then light, then the inverse of RGB to LMS."""
    to_lms = np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
    opponents = [[2048, 2048, 0], [3625, -7465, 3840], [9500, -9212, -288]] if clip.hlg else [
        [2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]  # fmt: skip
    coded, light = curves(clip)
    cones = np.tensordot(np.linalg.inv(np.array(opponents) / 4096), components, 1)
    rgb = coded(np.clip(np.tensordot(np.linalg.inv(to_lms), light(cones), 1), 0, 1))
    # What cone responses above 1 stand for in HLG is not compared.
    return np.where(cones.max(0) > 1, 1, rgb) if clip.hlg else rgb


def rgb_of(components, clip):
    """R'G'B' of Y'CbCr or what else the matrix of a clip says, on a first axis."""
    y, first, second = components
    match clip.matrix:
        case "ycgco":  # Cg, then Co.
            t = y - first
            return np.stack([t + second, y + first, t - second])
        case "smpte2085":  # Y', D'z, D'x.
            return np.stack([2 * second + 0.991902 * y, y, (2 * first + y) / 0.986566])
        case "bt2020c":
            return constant_luminance(components, 0.2627, 0.0593, clip, clip.sdr)
        case "chroma-derived-c":
            return constant_luminance(components, *derived_weights(clip.primaries), clip, False)
        case "chroma-derived-nc":
            return by_weights(components, *derived_weights(clip.primaries))
        case "ictcp":
            return ictcp(components, clip)
        case name:
            return by_weights(components, *WEIGHTS[name])
