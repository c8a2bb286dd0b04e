"""Command lines over all verbs, drawn by a seed."""

PATTERNS = ["bt2111-pq", "counter", "steps", "colorchecker", "bt2111-hlg", "ramp", "chroma-siting"]
SPACES = ["pq", "hlg", "srgb", "p3", "p3-pq", "linear-bt2020", "linear-p3", "linear-srgb"]


def some(rng, *choices):
    """Options, each with a chance to be there."""
    return [word for chance, words in choices if rng.random() < chance for word in rng.choice(words)]


def overrides(rng):
    return some(
        rng,
        (0.06, [["--input-transfer", "pq"], ["--input-transfer", "hlg"], ["--input-transfer", "sdr"]]),
        (0.04, [["--input-range", "full"], ["--input-range", "limited"]]),
        (0.04, [["--chroma-site", "topleft"], ["--chroma-site", "center"]]),
        (0.05, [["--strict"], ["--max-errors", "0"], ["--max-errors", "3"]]),
        (0.12, [["--keep-partial"]]),
        (0.05, [["--gain-map", "1"], ["--gain-map", "2.5"]]),
    )


def mapping(rng, dynamic=True):
    curves = ["system", "bt2390", "bt2446a", "spline", "reinhard", "hable", "mobius", "clip", "st2094-40"]
    return some(
        rng,
        (0.3, [["--to", "hdr10"], ["--to", "hlg"], ["--to", "sdr"]]),
        (0.2, [["--tone-map", c] for c in curves]),
        (0.1, [["--peak", "600"], ["--sdr-white", "203"], ["--reference-white", "100"], ["--gamut", "clip"]]),
        (0.05, [["--hlg-ootf", "display"]]),
        (0.05 if dynamic else 0, [["--dynamic-metadata", "ignore"]]),
    )


def selection(rng):
    if rng.random() < 0.5:
        return some(rng, (0.3, [["--frames", "1-2"], ["--frames", "0"], ["--frames", "2-9"], ["--frames", "90000-90001"]]))
    start = some(rng, (0.4, [["--start", "0.05"], ["--start", "0.11"], ["--start", "5"], ["--start", "0"]]))
    return start and [*start, "--duration", rng.choice(["0.01", "0.08", "0.3"])]


def threads(rng):
    return ["--threads", rng.choice(["1", "1", "2", "3"])]


def limit(words):
    """A damaged length must not make hours of work: eight frames, where none were chosen."""
    chosen = any(w in words for w in ("--frames", "--duration", "--at"))
    return words if chosen else [*words, "--frames", "0-7"]


def transcode(rng, source, output, measured):
    words = ["transcode", source, "-q", *threads(rng), *mapping(rng), *selection(rng), *overrides(rng)]
    words += some(
        rng,
        (0.08, [["--scale", "32x32"], ["--scale", "-2x48"], ["--scale", "100x-1"]]),
        (0.05, [["--bake-rotation"]]),
        (0.08, [["--filter", "highlight"], ["--filter", "false-color"], ["--filter", "clip-warning"], ["--filter", "scopes"]]),
        (0.05, [["--stats", "-"], ["--peak-detect"]]),
        (0.05, [["--map", "0"], ["--map", "0:v"], ["--map", "0", "--map", "-0:a"]]),
    )
    if measured:
        words += ["--measured", measured]
    if "hdr10" in words:
        words += some(rng, (0.3, [["--max-cll", "measure"], ["--max-cll", "copy"], ["--master-display", "copy"]]))
    if rng.random() < 0.45:
        words += ["-f", "null"]
    elif rng.random() < 0.15:
        words += ["-f", rng.choice(["framemd5", "yuv4mpegpipe", "rawvideo"]), "-o", output + ".raw"]
    else:
        form = rng.choice(["mp4", "mkv", "mov", "mkv", "ts"])
        coder = rng.choice([["libx264", "--preset", "ultrafast"], ["libx264", "--preset", "ultrafast"], ["ffv1"], ["prores_ks"]])
        if form in ("mp4", "ts"):
            coder = ["libx264", "--preset", "ultrafast"]
        words += ["-o", f"{output}.{form}", "-c:v", *coder]
        words += some(rng, (0.15, [["--report", output + ".json"]]), (0.1, [["-c:a", "aac"]]))
    return limit(words)


def dump(rng, source, output, measured):
    words = ["dump", source, "-q", *threads(rng), *overrides(rng), *some(rng, (0.3, [["--tone-map", "system"], ["--to", "sdr"]]))]
    kind = rng.random()
    if kind < 0.15:
        words += ["--contact", rng.choice(["1x1", "2x2", "5x4"]), "-o", output + rng.choice([".png", ".tiff", ".jxl"])]
        return words + some(rng, (0.3, [["--scale", "16x16"], ["--scale", "-2x100"]]))
    words += selection(rng)
    form = rng.choice(["exr", "png", "tiff", "avif", "jxl", "y4m", "rgba16Float", "bgr10a2"])
    if form in ("rgba16Float", "bgr10a2"):
        words += ["-f", form]
    words += ["-o", f"{output}-%03d.{form}" if form != "y4m" else output + ".y4m"]
    if form not in ("y4m", "exr", "rgba16Float"):
        words += some(rng, (0.4, [["--space", s] for s in SPACES]), (0.3, [["--bit-depth", "8"], ["--bit-depth", "16"]]))
    words += some(
        rng,
        (0.2, [["--stage", s] for s in ("decoded", "mapped", "filtered", "output")]),
        (0.1, [["--scale", "32x32"], ["--no-bake-rotation"], ["--every", "2"]]),
        (0.1, [["--filter", "highlight"]]),
    )
    return limit(words)


def measure(rng, source, output, measured):
    words = ["measure", source, "-q", *threads(rng), *selection(rng), *overrides(rng)]
    return limit(words + some(rng, (0.2, [["--csv"]]), (0.3, [["--exclude-letterbox"]]), (0.2, [["-o", output + ".json"]])))


def probe(rng, source, output, measured):
    return ["probe", source, *some(rng, (0.5, [["--json"]])), *overrides(rng)]


def verify(rng, source, output, measured):
    words = ["verify", source, "-q", "--pattern", rng.choice(PATTERNS), "--frames", "0-1", *threads(rng)]
    return words + some(rng, (0.3, [["--json"]]), (0.1, [["--page", output]]), (0.1, [["--expect", "tone-mapped:system:headroom=1"]]))


def scopes(rng, source, output, measured):
    words = ["scopes", source, "-q", "-o", output + ".png", *threads(rng), *overrides(rng), "--size", "560x480"]
    words += some(rng, (0.3, [["--at", "0.05"], ["--at", "0"]]), (0.2, [["--point-scale", "2"]]), (0.2, [["--vectorscope", "ictcp"]]))
    return words + some(rng, (0.2, [["--data", output + ".json"]]))


def lut(rng, source, output, measured):
    words = ["lut", source, "-q", "-o", output + ".cube", *some(rng, (0.2, [["--json"]])), *mapping(rng, False)]
    forms = [["--nodes", "2"], ["--nodes", "5"], ["--nodes", "5", "--shaper", "split"], ["--nodes", "5", "--shaper", "combined"],
             ["--dimensions", "1", "--nodes", "64"]]  # fmt: skip
    return words + rng.choice(forms)


VERBS = [(50, transcode), (17, dump), (10, measure), (10, probe), (3, verify), (4, scopes), (6, lut)]


def draw(rng, source, output, measured=None):
    """Words after the program's name."""
    if measured:
        return transcode(rng, source, output, measured)
    verb = rng.choices([v for _, v in VERBS], [w for w, _ in VERBS])[0]
    return verb(rng, source, output, measured)
