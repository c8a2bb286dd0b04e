"""ISO base media files: MP4, MOV, HEIF, AVIF, and the boxes of JPEG XL and JPEG 2000."""

import struct

from . import fields, nal, obu

CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"dinf", b"edts", b"udta", b"moof", b"traf", b"mvex", b"iprp",
              b"ipco", b"jp2h", b"wave", b"gmhd", b"tref", b"mfra"}  # fmt: skip
# Boxes with a version, flags and perhaps more before what they contain.
INNER = {b"meta": 4, b"stsd": 8, b"dref": 8, b"iinf": 6, b"iref": 4,
         b"hvc1": 78, b"hev1": 78, b"avc1": 78, b"av01": 78, b"vp09": 78, b"apch": 78, b"apcn": 78, b"mp4a": 28}  # fmt: skip
TYPES = [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"stsz", b"stco", b"co64", b"stts", b"ctts", b"stsc", b"stss",
         b"hvcC", b"avcC", b"av1C", b"colr", b"mdcv", b"clli", b"elst", b"mvhd", b"tkhd", b"mdhd", b"hdlr", b"mdat", b"udta",
         b"meta", b"esds", b"iloc", b"ipma", b"ispe", b"pixi", b"irot", b"imir", b"clap", b"pasp", b"auxC", b"grid", b"tmap",
         b"dvcC", b"dvvC", b"amve", b"st3d", b"sv3d", b"free", b"uuid", b"jxlc", b"jxlp", b"brob", b"dref", b"url ", b"sgpd",
         b"sbgp", b"sidx", b"moof", b"trun", b"tfhd", b"cmov", b"rmra", b"tref", b"iref"]  # fmt: skip


class Box:
    """A box as it lies in the file."""

    def __init__(self, kind, start, content, end, depth):
        self.kind, self.start, self.content, self.end, self.depth = kind, start, content, end, depth


def boxes(data, begin=0, end=None, depth=0):
    """All boxes, those inside others too."""
    end = len(data) if end is None else end
    place, found = begin, []
    while place + 8 <= end and depth < 12:
        size, kind = int.from_bytes(data[place : place + 4], "big"), bytes(data[place + 4 : place + 8])
        head = 16 if size == 1 else 8
        size = int.from_bytes(data[place + 8 : place + 16], "big") if size == 1 else size or end - place
        if size < head or place + size > end:
            break
        found.append(Box(kind, place, place + head, place + size, depth))
        if kind in CONTAINERS or kind in INNER:
            inner = INNER.get(kind, 0)
            # QuickTime's meta box has no version.
            if kind == b"meta" and data[place + 12 : place + 16] == b"hdlr":
                inner = 0
            found += boxes(data, place + head + inner, place + size, depth + 1)
        place += size
    return found


def resize(data, rng, box, all):
    """Sizes that overlap, leave out or never end."""
    size = box.end - box.start
    values = [0, 1, 2, 7, 8, 9, size - 1, size + 1, size * 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, rng.getrandbits(32)]
    fields.put(data, box.start, struct.pack(">I", rng.choice(values) & 0xFFFFFFFF))


def retype(data, rng, box, all):
    fields.put(data, box.start + 4, rng.choice(TYPES))


def number(data, rng, box, all):
    """A number near the start of the content, where counts and sizes are, or anywhere in it."""
    end = min(box.end, box.content + 40) if rng.random() < 0.7 else box.end
    fields.disturb(data, rng, box.content, end)


def table(data, rng, box, all):
    """The tables of samples, edits, items and properties: their counts and their entries."""
    names = {b"stsz", b"stco", b"co64", b"stts", b"ctts", b"stsc", b"stss", b"elst", b"iloc", b"ipma", b"iref", b"iinf", b"infe",
             b"pitm", b"trun", b"sidx", b"tfhd", b"dimg", b"auxl", b"hvcC", b"avcC", b"av1C", b"colr", b"mdcv", b"clli",
             b"ispe", b"tkhd", b"mvhd", b"mdhd", b"stsd", b"dvcC", b"dvvC", b"pasp", b"irot", b"clap", b"auxC", b"pixi",
             b"keys", b"ilst", b"chpl", b"esds", b"jxlp", b"idat"}  # fmt: skip
    tables = [b for b in all if b.kind in names]
    box = rng.choice(tables or all)
    for _ in range(rng.choice([1, 1, 3])):
        number(data, rng, box, all)


def parameters(data, rng, box, all):
    """Parameter sets in hvcC and avcC, and the sequence header in av1C."""
    records = [b for b in all if b.kind in (b"hvcC", b"avcC", b"av1C")]
    if not records:
        return
    box = rng.choice(records)
    if box.kind == b"av1C":
        obu.damage(data, rng, min(box.content + 4, box.end), box.end)
        return
    hevc = box.kind == b"hvcC"
    at = box.content + (23 if hevc else 6)
    units = []
    while at + 5 < box.end and len(units) < 16:
        at += 3 if hevc else 0
        length = int.from_bytes(data[at : at + 2], "big")
        if length < 2 or at + 2 + length > box.end:
            break
        units.append((at + 2, at + 2 + length))
        at += 2 + length + (0 if hevc else 1)
    if units:
        nal.damage_one(data, rng, units, hevc)


def media(data, rng, box, all):
    """Units of the video, where the file begins with them."""
    places = [b for b in all if b.kind == b"mdat"]
    if not places:
        return
    box = places[0]
    kinds = {b.kind for b in all}
    if b"av1C" in kinds:
        obu.damage(data, rng, box.content, box.end)
        return
    units = nal.prefixed(data, box.content, box.end)
    if not units:
        fields.disturb(data, rng, box.content, min(box.end, box.content + 64))
    elif rng.random() < 0.8:
        nal.damage_one(data, rng, units, b"hvcC" in kinds)
    else:
        nal.lengths(data, rng, units)


def grow(data, rng, box, enclosing, piece, place):
    """Puts bytes in, with the sizes of the boxes around them right."""
    data[place:place] = piece
    for outer in enclosing:
        size = int.from_bytes(data[outer.start : outer.start + 4], "big")
        if size > 1:
            fields.put(data, outer.start, struct.pack(">I", (size + len(piece)) & 0xFFFFFFFF))


def copy(data, rng, box, all):
    """A box twice or many times, or inside of another."""
    enclosing = [b for b in all if b.start < box.start and b.end >= box.end]
    piece = bytes(data[box.start : box.end])
    if len(piece) > 65536:
        return
    grow(data, rng, box, enclosing, piece * rng.choice([1, 1, 3, 200 if len(piece) < 200 else 2]), box.start)


def nest(data, rng, box, all):
    """A deep tree."""
    kind = rng.choice([b"moov", b"trak", b"udta", b"meta", b"iprp", box.kind])
    piece = b""
    for _ in range(rng.choice([3, 40, 2000])):
        piece = struct.pack(">I", len(piece) + 8) + kind + piece
    enclosing = [b for b in all if b.start < box.start and b.end >= box.end]
    grow(data, rng, box, enclosing, piece, box.start)


def leave_out(data, rng, box, all):
    enclosing = [b for b in all if b.start < box.start and b.end >= box.end]
    count = box.end - box.start
    del data[box.start : box.end]
    for outer in enclosing:
        size = int.from_bytes(data[outer.start : outer.start + 4], "big")
        if size > count:
            fields.put(data, outer.start, struct.pack(">I", size - count))


def mutate(data, rng):
    for _ in range(rng.choice([1, 1, 2, 4])):
        all = boxes(data)
        if not all:
            return fields.disturb(data, rng, 0, len(data))
        edits = [resize, retype, number, number, table, table, table, table, parameters, media, media, copy, nest, leave_out]
        rng.choice(edits)(data, rng, rng.choice(all), all)
    return data
