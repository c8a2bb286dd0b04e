"""Values that break parsers, and edits that keep the rest of a file in place."""

LARGE = 256 << 20


def extreme(rng, size, order="big"):
    """A number of `size` bytes at an edge of its range, near a power of two, or any."""
    top = (1 << 8 * size) - 1
    edges = [0, 1, 2, 3, 7, 8, 15, 16, 255, 256, 65535, 65536, 1 << 24, top, top - 1, top >> 1, (top >> 1) + 1, top // 3]
    value = rng.choice([rng.choice(edges), 1 << rng.randrange(8 * size), rng.getrandbits(8 * size)])
    return min(value, top).to_bytes(size, order)


def nudged(rng, data, size, order="big"):
    """The number in `data`, a little larger or smaller, doubled or halved."""
    value = int.from_bytes(data[:size], order)
    step = rng.choice([1, -1, 2, -2, 7, -8, 16, 100, -100, value, -(value // 2)])
    return ((value + step) % (1 << 8 * size)).to_bytes(size, order)


def other(rng, data, size, order="big"):
    """Another number in place of the one in `data`."""
    return nudged(rng, data, size, order) if rng.random() < 0.4 else extreme(rng, size, order)


def put(data, place, value):
    """Overwrites, and never lengthens."""
    room = max(0, len(data) - place)
    data[place : place + len(value)] = value[:room]
    return data


def disturb(data, rng, begin, end, order="big"):
    """One number between two places becomes another; alignment is likely, not certain."""
    if end <= begin:
        return data
    size = rng.choice([1, 2, 4, 4, 4, 8])
    place = begin + rng.randrange(end - begin)
    if rng.random() < 0.7:
        place = begin + (place - begin) // size * size
    size = min(size, end - place)
    return put(data, place, other(rng, data[place : place + size], size, order))
