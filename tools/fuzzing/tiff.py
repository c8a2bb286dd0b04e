"""TIFF and BigTIFF: entries of the directories, and how they hang together."""

import struct

from . import fields

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
# Width, length, bits, compression, photometric, strips, orientation, samples, rows, counts, planar, predictor, tiles,
# extra, format, Y'CbCr, JPEG, profile, subfile.
TAGS = [256, 257, 258, 259, 262, 266, 270, 273, 274, 277, 278, 279, 282, 284, 301, 317, 318, 319, 320, 322, 323, 324, 325,
        330, 338, 339, 347, 512, 513, 514, 519, 529, 530, 531, 532, 33432, 34665, 34675, 34853]  # fmt: skip
VALUES = {
    258: [0, 1, 4, 8, 12, 16, 24, 32, 64, 65535],
    259: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 32771, 32773, 32809, 32908, 32946, 34661, 34676, 34677, 34712, 34887, 34925, 50000],
    262: [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 32803, 32844, 32845, 65535],
    274: range(10), 277: [0, 1, 2, 3, 4, 5, 16, 17, 65535], 284: [0, 1, 2, 3], 317: [0, 1, 2, 3, 4, 34892], 338: range(4),
    339: range(8), 256: [0, 1, 64, 65, 65535, 65536, 16384], 257: [0, 1, 64, 65, 65535, 65536, 16384],
    278: [0, 1, 7, 64, 65, 0xFFFFFFFF], 322: [0, 1, 16, 48, 65520], 323: [0, 1, 16, 48, 65520],
}  # fmt: skip


class Layout:
    """Where numbers lie in a file; a classic one and a BigTIFF differ in their widths."""

    def __init__(self, data):
        self.order = "little" if data[:2] == b"II" else "big"
        self.big = len(data) > 4 and 43 in data[2:4]
        self.word = 8 if self.big else 4
        self.entry = 20 if self.big else 12
        self.data = data

    def number(self, place, size):
        return int.from_bytes(self.data[place : place + size], self.order)

    def bytes(self, value, size):
        return (value % (1 << 8 * size)).to_bytes(size, self.order)

    def directories(self):
        """Place of the entries and their number, for each directory."""
        place, seen = self.number(8 if self.big else 4, self.word), []
        head = 8 if self.big else 2
        while 0 < place < len(self.data) and place not in [s[0] for s in seen] and len(seen) < 8:
            count = min(self.number(place, head), 200)
            seen.append((place, place + head, count))
            place = self.number(place + head + count * self.entry, self.word)
        return seen


def entry(layout, rng, place):
    """One field of an entry: tag, type, count, or the value, which may be an offset."""
    data, word = layout.data, layout.word
    tag = layout.number(place, 2)
    kind = rng.randrange(6)
    if kind == 0:
        fields.put(data, place, layout.bytes(rng.choice(TAGS), 2))
    elif kind == 1:
        fields.put(data, place + 2, layout.bytes(rng.choice([0, 1, 2, 3, 4, 5, 7, 11, 12, 13, 16, 18, 99]), 2))
    elif kind == 2:
        fields.put(data, place + 4, fields.other(rng, data[place + 4 : place + 4 + word], word, layout.order))
    elif kind == 3 and tag in VALUES:
        size = SIZES.get(layout.number(place + 2, 2), 4)
        fields.put(data, place + 4 + word, layout.bytes(rng.choice(list(VALUES[tag])), size))
    else:
        at = place + 4 + word
        fields.put(data, at, fields.other(rng, data[at : at + word], word, layout.order))


def table(layout, rng, place):
    """A number in what an entry points to: strips, counts, bits, profile."""
    size = SIZES.get(layout.number(place + 2, 2), 1) * layout.number(place + 4, layout.word)
    if size <= layout.word:
        return entry(layout, rng, place)
    target = layout.number(place + 4 + layout.word, layout.word)
    fields.disturb(layout.data, rng, target, min(target + size, len(layout.data)), layout.order)


def link(layout, rng, directories):
    """The first or the next directory: none, one of the others, itself, or outside."""
    start, first, count = rng.choice(directories)
    places = [0, start, start + 1, directories[0][0], len(layout.data), (1 << 32) - 1]
    at = rng.choice([8 if layout.big else 4, first + count * layout.entry])
    fields.put(layout.data, at, layout.bytes(rng.choice(places), layout.word))


def head(layout, rng):
    """The other byte order, another version, or the number of entries."""
    kind = rng.randrange(3)
    if kind == 0:
        fields.put(layout.data, 0, rng.choice([b"II", b"MM"]))
    elif kind == 1:
        fields.put(layout.data, 2, layout.bytes(rng.choice([42, 43]), 2))
    else:
        for start, _, _ in layout.directories()[:1]:
            fields.put(layout.data, start, layout.bytes(rng.choice([0, 1, 5, 4096, 65535]), 2))


def mutate(data, rng):
    layout = Layout(data)
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        directories = layout.directories()
        entries = [first + layout.entry * i for _, first, count in directories for i in range(count)]
        if not entries or rng.random() < 0.05:
            head(layout, rng)
        elif rng.random() < 0.08:
            link(layout, rng, directories)
        else:
            rng.choice([entry, entry, table])(layout, rng, rng.choice(entries))
    return data
