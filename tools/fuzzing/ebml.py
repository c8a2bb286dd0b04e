"""Matroska and WebM: elements, their sizes and their values."""

import struct

from . import fields, nal, obu

MASTERS = {0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0xE0, 0xE1, 0x55B0, 0x55D0, 0x1F43B675, 0xA0, 0x1C53BB6B, 0xBB,
           0xB7, 0x1254C367, 0x7373, 0x63C0, 0x67C8, 0x114D9B74, 0x4DBB, 0x1043A770, 0x45B9, 0xB6, 0x80, 0x1941A469, 0x61A7,
           0x6D80, 0x6240, 0x5034, 0x7670, 0x41E4, 0x75A1, 0xA6}  # fmt: skip
CODEC_PRIVATE, SIMPLE_BLOCK, BLOCK = 0x63A2, 0xA3, 0xA1
FLOATS = {0x4489, 0xB5, 0x78B5, 0x55D1, 0x55D2, 0x55D3, 0x55D4, 0x55D5, 0x55D6, 0x55D7, 0x55D8, 0x55D9, 0x55DA, 0x7673, 0x7674,
          0x7675}  # fmt: skip


class Element:
    def __init__(self, id, start, size_at, content, end, depth, enclosing):
        self.id, self.start, self.size_at, self.content, self.end = id, start, size_at, content, end
        self.depth, self.enclosing = depth, enclosing


def width(byte):
    return 9 - byte.bit_length() if byte else 9


def elements(data, begin=0, end=None, enclosing=()):
    """All elements, those inside others too."""
    end = len(data) if end is None else end
    place, found = begin, []
    while place < end and len(enclosing) < 10:
        id_width = width(data[place])
        size_at = place + id_width
        if id_width > 4 or size_at >= end:
            break
        size_width = width(data[size_at])
        content = size_at + size_width
        if size_width > 8 or content > end:
            break
        id = int.from_bytes(data[place:size_at], "big")
        size = int.from_bytes(data[size_at:content], "big") & (1 << 7 * size_width) - 1
        stop = end if size == (1 << 7 * size_width) - 1 else content + size
        if stop > end:
            break
        element = Element(id, place, size_at, content, stop, len(enclosing), enclosing)
        found.append(element)
        if id in MASTERS:
            found += elements(data, content, stop, (*enclosing, element))
        place = stop
    return found


def resize(data, rng, element, all):
    """A size in the same width: unknown, none, one more, much more; or of an impossible width."""
    count = element.content - element.size_at
    marker, top = 1 << 7 * count, (1 << 7 * count) - 1
    size = element.end - element.content
    value = rng.choice([top, 0, 1, size + 1, max(size - 1, 0), size * 2, top - 1, top >> 1, rng.randrange(top + 1)])
    fields.put(data, element.size_at, (marker | min(value, top)).to_bytes(count, "big"))
    if rng.random() < 0.1:
        data[element.size_at] = rng.choice([0, 1, 255])


def rename(data, rng, element, all):
    """Another element of the same width."""
    count = element.size_at - element.start
    known = [e.id for e in all if e.size_at - e.start == count] + [i for i in MASTERS if (i.bit_length() + 7) // 8 == count]
    fields.put(data, element.start, rng.choice(known).to_bytes(count, "big"))


def value(data, rng, element, all):
    """The value of an element that holds no others."""
    leaves = [e for e in all if e.id not in MASTERS and e.end > e.content and e.end - e.content < 5000]
    small = [e for e in leaves if e.end - e.content <= 8]
    if not leaves:
        return
    element = rng.choice(small if small and rng.random() < 0.7 else leaves)
    size = element.end - element.content
    if element.id in FLOATS and size in (4, 8):
        number = rng.choice([0.0, -1.0, float("nan"), float("inf"), 1e300 if size == 8 else 1e38, 1e-300, 0.3127, 65536.0])
        fields.put(data, element.content, struct.pack(">d" if size == 8 else ">f", number))
    elif size <= 8:
        fields.put(data, element.content, fields.other(rng, data[element.content : element.end], size))
    else:
        fields.disturb(data, rng, element.content, element.end)


def codec(data, rng, element, all):
    """Units of the video in blocks and in the codec's own header."""
    id = b"V_MPEGH" in data and "hevc" or b"V_MPEG4/ISO/AVC" in data and "h264" or b"V_AV1" in data and "av1" or ""
    blocks = [e for e in all if e.id in (SIMPLE_BLOCK, BLOCK, CODEC_PRIVATE) and e.end - e.content > 8]
    if not blocks:
        return
    element = rng.choice(blocks)
    begin = element.content + (0 if element.id == CODEC_PRIVATE else 4)
    if id == "av1":
        obu.damage(data, rng, begin, element.end)
    elif id and element.id != CODEC_PRIVATE and (units := nal.prefixed(data, begin, element.end)):
        nal.damage_one(data, rng, units, id == "hevc")
    else:
        # Track number, time, lacing; or the record.
        fields.disturb(data, rng, element.content, min(element.end, element.content + rng.choice([4, 40])))
        if element.id != CODEC_PRIVATE and rng.random() < 0.4:
            data[element.content + 3] = rng.choice([0x02, 0x04, 0x06, 0x86])


def grow(data, element, piece, place):
    """Puts bytes in, with the sizes around them right where there is room."""
    data[place:place] = piece
    for outer in element.enclosing:
        count = outer.content - outer.size_at
        top = (1 << 7 * count) - 1
        size = outer.end - outer.content
        if int.from_bytes(data[outer.size_at : outer.content], "big") & top != top:
            fields.put(data, outer.size_at, (1 << 7 * count | min(size + len(piece), top - 1)).to_bytes(count, "big"))


def copy(data, rng, element, all):
    piece = bytes(data[element.start : element.end])
    if len(piece) < 65536:
        grow(data, element, piece * rng.choice([1, 1, 3, 200 if len(piece) < 200 else 2]), element.start)


def nest(data, rng, element, all):
    """SimpleTag, ChapterAtom or anything in itself, many times."""
    id = rng.choice([b"\x67\xc8", b"\xb6", b"\x1f\x43\xb6\x75", b"\xae", bytes(data[element.start : element.size_at])])
    piece = b""
    for _ in range(rng.choice([3, 60, 3000])):
        piece = id + (0x10000000 | len(piece)).to_bytes(4, "big") + piece
    grow(data, element, piece, element.start)


def leave_out(data, rng, element, all):
    count = element.end - element.start
    if count == len(data):
        return
    del data[element.start : element.end]
    for outer in element.enclosing:
        width = outer.content - outer.size_at
        size = outer.end - outer.content - count
        fields.put(data, outer.size_at, (1 << 7 * width | max(size, 0)).to_bytes(width, "big"))


def mutate(data, rng):
    for _ in range(rng.choice([1, 1, 2, 4])):
        all = elements(data)
        if not all:
            return fields.disturb(data, rng, 0, len(data))
        edits = [resize, resize, rename, value, value, value, codec, codec, copy, nest, leave_out]
        rng.choice(edits)(data, rng, rng.choice(all), all)
    return data
