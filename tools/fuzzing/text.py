"""Y4M headers, and JSON and .cube files that options name."""

import re

from . import fields

TOKENS = [b"W0", b"W-1", b"W65536", b"W16384", b"W99999999999", b"H0", b"H1", b"H65536", b"F0:0", b"F1:0", b"F-1:1", b"F2147483647:1",
          b"A0:0", b"A1:0", b"It", b"Ib", b"Im", b"I?", b"C420p10", b"C444p12", b"Cmono", b"C999", b"C420jpeg", b"C422p16",
          b"C444alpha", b"XCOLORRANGE=FULL", b"X" + b"y" * 5000, b"W", b""]  # fmt: skip
NUMBERS = [b"0", b"-1", b"1e999", b"-1e999", b"1e-320", b"NaN", b"null", b"true", b'"x"', b"[]", b"{}", b"1e308", b"123456789012345678901",
           b"[" * 5000, b'{"a":' * 3000, b""]  # fmt: skip


def y4m(data, rng):
    """A word of the header, or a mark between frames."""
    end = data.find(b"\n")
    words = bytes(data[:end]).split(b" ") if end > 0 else [b"YUV4MPEG2"]
    if rng.random() < 0.8:
        place = rng.randrange(1, len(words) + 1)
        words[place : place + 1] = [rng.choice(TOKENS)]
        data[: max(end, 0)] = b" ".join(words)
        return data
    marks = [m.start() for m in re.finditer(rb"FRAME", bytes(data))]
    if marks:
        fields.put(data, rng.choice(marks), rng.choice([b"FRAMX", b"FRAME Ip", b"FRAME" + b" " * 200, b"\n", rng.randbytes(5)]))
    return data


def json(data, rng):
    """Numbers become others, or other things; names vanish."""
    text = bytes(data)
    for _ in range(rng.choice([1, 2, 10])):
        places = [m.span() for m in re.finditer(rb"-?\d+(\.\d+)?", text)] or [(0, 0)]
        first, last = rng.choice(places)
        text = text[:first] + rng.choice(NUMBERS) + text[last:]
    if rng.random() < 0.3:
        text = text.replace(rng.choice(re.findall(rb'"[a-zA-Z_]+"', text) or [b"{"]), b'"other"', 1)
    return bytearray(text)
