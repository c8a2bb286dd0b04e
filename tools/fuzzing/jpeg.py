"""JPEG, with gain maps: segments, XMP, MPF, the metadata of ISO 21496-1."""

import re

from . import fields

NUMBERS = [b"nan", b"inf", b"-inf", b"1e999", b"-1", b"0", b"1e-320", b"99999999999999999999", b"", b"0x10", b"2147483648", b"33"]


def segments(data):
    """Markers of all pictures in the file, with where they begin and end."""
    found, place = [], 0
    while (place := data.find(b"\xff\xd8\xff", place)) >= 0:
        at = place + 2
        while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] not in (0xD9, 0xFF, 0):
            length = int.from_bytes(data[at + 2 : at + 4], "big")
            end = min(at + 2 + length, len(data))
            found.append((data[at + 1], at, end))
            if data[at + 1] == 0xDA or length < 2:
                break
            at = end
        place += 3
    return found


def xmp(data, rng, found):
    """A number or a name in the packet."""
    texts = [s for s in found if s[0] == 0xE1 and b"ns.adobe.com/xap" in data[s[1] : s[2]]]
    if not texts:
        return
    _, begin, end = rng.choice(texts)
    text = bytes(data[begin + 4 : end])
    places = [m.span(1) for m in re.finditer(rb"[\"'>](-?[0-9.]+)[\"'<]", text)]
    if places and rng.random() < 0.7:
        first, last = rng.choice(places)
        text = text[:first] + rng.choice(NUMBERS) + text[last:]
    else:
        words = re.findall(rb"[A-Za-z]+:[A-Za-z]+", text) or [b"x"]
        text = text.replace(rng.choice(words), rng.choice([b"", b"a:b", rng.choice(words), b"<", b'"']), rng.choice([1, -1]))
    data[begin + 4 : end] = text
    fields.put(data, begin + 2, ((len(text) + 2) % 65536).to_bytes(2, "big"))


def content(data, rng, found):
    _, begin, end = rng.choice(found)
    order = "little" if b"II*" in data[begin : begin + 20] else "big"
    fields.disturb(data, rng, begin + 4, min(end, begin + 64), order)


def length(data, rng, found):
    _, begin, _ = rng.choice(found)
    fields.put(data, begin + 2, fields.other(rng, data[begin + 2 : begin + 4], 2))


def index(data, rng, found):
    """Where the other pictures lie, and the numbers of the gain map."""
    names = [b"MPF\0", b"urn:iso:std:iso:ts:21496:-1\0", b"Exif\0\0", b"ICC_PROFILE\0"]
    places = [(s[1] + 4 + len(n), s[2]) for s in found for n in names if data[s[1] + 4 : s[1] + 4 + len(n)] == n]
    if not places:
        return
    begin, end = rng.choice(places)
    for _ in range(rng.choice([1, 1, 3])):
        fields.disturb(data, rng, begin, end, rng.choice(["big", "little"]))


def frame(data, rng, found):
    """Size, precision, components of a picture."""
    places = [s for s in found if s[0] in (0xC0, 0xC1, 0xC2)]
    if not places:
        return
    _, begin, end = rng.choice(places)
    kind = rng.randrange(3)
    if kind == 0:
        fields.put(data, begin + 5, rng.choice([b"\0\1", b"\xff\xff", b"\0\0", b"\xff\xff\xff\xff", rng.randbytes(4)]))
    elif kind == 1:
        fields.put(data, begin + 4, bytes([rng.choice([0, 1, 2, 12, 16])]))
    else:
        fields.disturb(data, rng, begin + 9, end)


def leave_out(data, rng, found):
    """A segment that is missing, or there twice."""
    _, begin, end = rng.choice(found)
    if rng.random() < 0.5:
        del data[begin:end]
    else:
        data[begin:begin] = data[begin:end]


def mutate(data, rng):
    for _ in range(rng.choice([1, 1, 2, 4])):
        found = [s for s in segments(data) if s[2] > s[1] + 4]
        if not found:
            break
        rng.choice([xmp, xmp, content, length, index, index, frame, leave_out])(data, rng, found)
    return data
