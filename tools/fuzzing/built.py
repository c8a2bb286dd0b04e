"""Small pictures put together byte by byte, in forms that no program here writes."""

import struct

from . import isobmff

SIDE = 64


def ramp(x, y, c):
    """A half float from 0 to 1, as its bits: rising bits are rising values."""
    return 0x3C00 * ((x + 3 * y + 5 * c) % SIDE) // SIDE


# OpenEXR ---------------------------------------------------------------------------------------------------------


def attribute(name, kind, value):
    return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value


def exr_header(extra=b""):
    channels = b"".join(n + b"\0" + struct.pack("<IB3xii", 1, 0, 1, 1) for n in (b"A", b"B", b"G", b"R")) + b"\0"
    window = struct.pack("<4i", 0, 0, SIDE - 1, SIDE - 1)
    return (
        attribute(b"channels", b"chlist", channels)
        + attribute(b"compression", b"compression", b"\0")
        + attribute(b"dataWindow", b"box2i", window)
        + attribute(b"displayWindow", b"box2i", window)
        + attribute(b"lineOrder", b"lineOrder", b"\0")
        + attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
        + attribute(b"screenWindowCenter", b"v2f", struct.pack("<ff", 0, 0))
        + attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1))
        + attribute(b"whiteLuminance", b"float", struct.pack("<f", 203))
        + extra
    )


def exr_rows(x0, y0, width, height):
    rows = []
    for y in range(y0, y0 + height):
        for c in range(4):
            values = [0x3C00 if c == 0 else ramp(x, y, c) for x in range(x0, x0 + width)]
            rows.append(struct.pack(f"<{width}H", *values))
    return b"".join(rows)


def exr_tiled(tile=32):
    extra = attribute(b"tiles", b"tiledesc", struct.pack("<IIB", tile, tile, 0))
    start = struct.pack("<II", 20000630, 2 | 0x200) + exr_header(extra) + b"\0"
    count = SIDE // tile
    chunks = []
    for y in range(count):
        for x in range(count):
            pixels = exr_rows(x * tile, y * tile, tile, tile)
            chunks.append(struct.pack("<5i", x, y, 0, 0, len(pixels)) + pixels)
    return with_table(start, chunks)


def exr_parts():
    headers = b""
    for name in (b"left", b"right"):
        extra = attribute(b"name", b"string", name) + attribute(b"type", b"string", b"scanlineimage")
        headers += exr_header(extra + attribute(b"chunkCount", b"int", struct.pack("<i", SIDE))) + b"\0"
    start = struct.pack("<II", 20000630, 2 | 0x1000) + headers + b"\0"
    chunks = []
    for part in range(2):
        for y in range(SIDE):
            pixels = exr_rows(0, y, SIDE, 1)
            chunks.append(struct.pack("<3i", part, y, len(pixels)) + pixels)
    return with_table(start, chunks)


def with_table(start, chunks):
    place, table = len(start) + 8 * len(chunks), b""
    for chunk in chunks:
        table += struct.pack("<Q", place)
        place += len(chunk)
    return start + table + b"".join(chunks)


# TIFF ------------------------------------------------------------------------------------------------------------


def tiff(order="<", big=False, planar=False, tile=0, bits=16, form=1, samples=4):
    """Strips of 16 rows, or tiles, of any width of samples."""
    pixel = {8: "B", 16: "H", 32: "f"}[bits]

    def value(x, y, c):
        n = (x * 3 + y * 5 + c * 7) % 64
        return {8: n * 4, 16: ramp(x, y, c) if form == 3 else n << 10, 32: n / 63}[bits]

    def block(x0, y0, width, height, channels):
        values = [value(x, y, c) for y in range(y0, y0 + height) for x in range(x0, x0 + width) for c in channels]
        return struct.pack(f"{order}{len(values)}{pixel}", *values)

    groups = [[c] for c in range(samples)] if planar else [range(samples)]
    size = (tile, tile) if tile else (SIDE, 16)
    blocks = [block(x, y, *size, group) for group in groups for y in range(0, SIDE, size[1]) for x in range(0, SIDE, size[0])]
    tags = {256: (3, [SIDE]), 257: (3, [SIDE]), 258: (3, [bits] * samples), 259: (3, [1]), 262: (3, [2]), 277: (3, [samples]),
            284: (3, [2 if planar else 1]), 338: (3, [2]), 339: (3, [form] * samples), 274: (3, [1])}  # fmt: skip
    if tile:
        tags |= {322: (3, [tile]), 323: (3, [tile]), 324: (4, []), 325: (4, [len(b) for b in blocks])}
    else:
        tags |= {273: (4, []), 278: (3, [16]), 279: (4, [len(b) for b in blocks])}
    return tiff_file(order, big, tags, 324 if tile else 273, blocks)


def tiff_file(order, big, tags, offsets, blocks):
    word, head = ("Q", 16) if big else ("I", 8)
    place, places = head, []
    for block in blocks:
        places.append(place)
        place += len(block)
    tags[offsets] = (4, places)
    body = bytearray(b"".join(blocks))
    entries = b""
    for tag, (kind, values) in sorted(tags.items()):
        packed = struct.pack(f"{order}{len(values)}{'H' if kind == 3 else 'I'}", *values)
        room = 8 if big else 4
        if len(packed) > room:
            at = head + len(body)
            body += packed + bytes(-len(packed) % 2)
            packed = struct.pack(order + word, at)
        entries += struct.pack(f"{order}HH{word}", tag, kind, len(values)) + packed.ljust(room, b"\0")
    directory = struct.pack(order + ("Q" if big else "H"), len(tags)) + entries + bytes(8 if big else 4)
    mark = b"II" if order == "<" else b"MM"
    start = head + len(body)
    front = mark + (struct.pack(order + "HHHQ", 43, 8, 0, start) if big else struct.pack(order + "HI", 42, start))
    return front + bytes(body) + directory


# HEIF ------------------------------------------------------------------------------------------------------------


def box(kind, content):
    return struct.pack(">I", len(content) + 8) + kind + content


def heif(video, grid=False):
    """The first picture of an HEVC or AV1 file as a HEIC or AVIF; four times as a grid."""
    all = isobmff.boxes(video)
    first = {b.kind: b for b in reversed(all)}
    record = next(first[k] for k in (b"hvcC", b"av1C") if k in first)
    coded = b"hvc1" if record.kind == b"hvcC" else b"av01"
    sizes, offsets = first[b"stsz"], first[b"stco"]
    size = struct.unpack_from(">I", video, sizes.content + 4)[0] or struct.unpack_from(">I", video, sizes.content + 12)[0]
    offset = struct.unpack_from(">I", video, offsets.content + 8)[0]
    data = bytes(video[offset : offset + size])
    tiles = 4 if grid else 1
    items = [(1 + i, coded) for i in range(tiles)] + ([(9, b"grid")] if grid else [])
    primary = 9 if grid else 1
    side = SIDE * 2 if grid else SIDE
    properties = [
        bytes(video[record.start : record.end]),
        box(b"ispe", struct.pack(">III", 0, SIDE, SIDE)),
        box(b"colr", b"nclx" + struct.pack(">HHHB", 9, 16, 9, 0x80 if coded == b"av01" else 0)),
        box(b"clli", struct.pack(">HH", 1000, 400)),
        box(b"mdcv", struct.pack(">8HII", 8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450, 10000000, 50)),
        box(b"irot", b"\1"),
        box(b"ispe", struct.pack(">III", 0, side, side)),
    ]
    links = [(i, [0x81, 2, 3, 4, 5] + ([0x86] if not grid else [])) for i, kind in items if kind == coded]
    links += [(9, [7, 3, 4, 5, 0x86])] if grid else []
    ipma = struct.pack(">II", 0, len(links)) + b"".join(struct.pack(">HB", i, len(n)) + bytes(n) for i, n in links)
    description = struct.pack(">BBBBHH", 0, 0, 1, 1, side, side)
    extents = {i: (data, None) for i, kind in items if kind == coded} | ({9: (description, None)} if grid else {})
    iref = box(b"iref", bytes(4) + box(b"dimg", struct.pack(">HH4H", 9, 4, 1, 2, 3, 4))) if grid else b""

    def meta(start):
        places, at = b"", start
        for i, (bytes_, _) in extents.items():
            places += struct.pack(">HHHII", i, 0, 1, at, len(bytes_))
            at += len(bytes_)
        infos = b"".join(box(b"infe", struct.pack(">IHH", 2 << 24, i, 0) + kind + b"\0") for i, kind in items)
        return box(
            b"meta",
            bytes(4)
            + box(b"hdlr", bytes(8) + b"pict" + bytes(13))
            + box(b"pitm", struct.pack(">IH", 0, primary))
            + box(b"iloc", struct.pack(">IBBH", 0, 0x44, 0, len(extents)) + places)
            + box(b"iinf", struct.pack(">IH", 0, len(items)) + infos)
            + iref
            + box(b"iprp", box(b"ipco", b"".join(properties)) + box(b"ipma", ipma)),
        )

    brand = b"heic" if coded == b"hvc1" else b"avif"
    front = box(b"ftyp", brand + bytes(4) + b"mif1" + brand)
    start = len(front) + len(meta(0)) + 8
    return front + meta(start) + box(b"mdat", b"".join(d for d, _ in extents.values()))


# JPEG with a gain map --------------------------------------------------------------------------------------------


def segment(marker, content):
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def gain_map_jpeg(base, map, iso):
    """Two JPEG files as one: by the index of MPF and ISO 21496-1, or by XMP alone."""
    name = b"http://ns.adobe.com/xap/1.0/\0"
    if iso:
        numbers = struct.pack(">HHB", 0, 0, 0x40) + struct.pack(">8I", 0, 1, 2, 1, 0, 1, 2, 1) + struct.pack(">6I", 1, 1, 1, 64, 1, 64)
        map = map[:2] + segment(0xE2, b"urn:iso:std:iso:ts:21496:-1\0" + numbers) + map[2:]
    else:
        text = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" '
                b'hdrgm:Version="1.0" hdrgm:GainMapMin="0" hdrgm:GainMapMax="2" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" '
                b'hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="2"/></x:xmpmeta>')  # fmt: skip
        map = map[:2] + segment(0xE1, name + text) + map[2:]
    container = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description '
                 b'xmlns:Container="http://ns.google.com/photos/1.0/container/" '
                 b'xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Item Item:Semantic="Primary" '
                 b'Item:Mime="image/jpeg"/><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" '
                 b'Item:Length="%d"/></rdf:Description></x:xmpmeta>' % len(map))  # fmt: skip
    exif = segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0")
    front = exif + segment(0xE1, name + container)
    index = b"MM\0*\0\0\0\x08" + struct.pack(">H", 3)
    index += struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") + struct.pack(">HHII", 0xB001, 4, 1, 2)
    index += struct.pack(">HHII", 0xB002, 7, 32, 50) + bytes(4)
    length = 2 + len(front) + 2 + 2 + 4 + len(index) + 32 + len(base) - 2
    start = 2 + len(front) + 4 + 4
    entries = struct.pack(">IIIHH", 0x30000, length, 0, 0, 0) + struct.pack(">IIIHH", 0, len(map), length - start, 0, 0)
    return base[:2] + front + segment(0xE2, b"MPF\0" + index + entries) + base[2:] + map


# ICC profile -----------------------------------------------------------------------------------------------------


def icc_profile():
    """Display P3 with the curve of a power."""

    def xyz(*values):
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(v * 65536) for v in values))

    elements = {
        b"desc": b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", 10, 28) + "Power".encode("utf-16-be"),
        b"rXYZ": xyz(0.5151, 0.2412, -0.0011), b"gXYZ": xyz(0.2920, 0.6922, 0.0419), b"bXYZ": xyz(0.1571, 0.0666, 0.7841),
        b"rTRC": b"para\0\0\0\0\0\0\0\0" + struct.pack(">i", round(2.2 * 65536)),
        b"gTRC": b"curv\0\0\0\0" + struct.pack(">IH", 1, 0x0233), b"bTRC": b"curv\0\0\0\0" + struct.pack(">I4H", 4, 0, 5824, 26864, 65535),
    }  # fmt: skip
    table, body, place = b"", b"", 132 + 12 * len(elements)
    for tag, content in elements.items():
        content += bytes(-len(content) % 4)
        table += tag + struct.pack(">II", place, len(content))
        body += content
        place += len(content)
    head = bytearray(128)
    head[0:4] = struct.pack(">I", place)
    head[8:24] = b"\4\0\0\0mntrRGB XYZ "
    head[36:40] = b"acsp"
    return bytes(head) + struct.pack(">I", len(elements)) + table + body
