"""Damage that knows nothing of the format."""

from . import fields


def flip_bits(data, rng):
    """1 to 200 single bits."""
    for _ in range(rng.choice([1, 5, 40, 200])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def truncate(data, rng):
    return data[: rng.randrange(1, len(data)) if len(data) > 1 else 1]


def overwrite(data, rng):
    """A run of random bytes, of zeros or of ones."""
    place = rng.randrange(len(data))
    count = rng.choice([1, 4, 16, 64, 1024])
    return fields.put(data, place, rng.choice([rng.randbytes(count), bytes(count), b"\xff" * count]))


def numbers(data, rng):
    """Some numbers anywhere, more often near the start."""
    for _ in range(rng.choice([1, 2, 4])):
        end = len(data) if rng.random() < 0.4 else min(len(data), 512)
        fields.disturb(data, rng, 0, end, rng.choice(["big", "little"]))
    return data


def cut_out(data, rng):
    begin = rng.randrange(len(data))
    del data[begin : begin + rng.choice([1, 3, 16, 100, len(data) // 4 + 1])]
    return data or bytearray(b"\0")


def repeat(data, rng):
    """A piece twice or many times."""
    begin = rng.randrange(len(data))
    piece = data[begin : begin + rng.choice([1, 8, 64, 512])]
    data[begin:begin] = piece * rng.choice([1, 2, 50])
    return data


ALL = [flip_bits, flip_bits, truncate, overwrite, numbers, cut_out, repeat]
