import Foundation
import TestSupport
import Testing

/// The counts of scopes against numpy, which has nothing of ours but the light of the pixels.
@Suite struct ScopesDataTests {
  /// Counts of one frame by the definitions in the documentation, and how far those of the JSON are from them.
  private static let script = """
    import json, sys, numpy as np
    light = np.fromfile(sys.argv[1], np.float16); data = json.loads(open(sys.argv[2]).readline())
    w, h = data["width"], data["height"]; unit = float(sys.argv[3]); is_hlg = sys.argv[4] == "hlg"
    rgb = light.reshape(h, w, 4)[:, :, :3].astype(np.float64)
    if is_hlg:  # ITU-R BT.2100-2, table 5: 1000 cd/m2, gamma 1.2
        y = rgb @ [0.2627, 0.6780, 0.0593]
        rgb = np.where(y > 0, 1000 * np.maximum(y, 1e-30) ** 0.2, 0)[..., None] * rgb; unit = 1
        rgb = (rgb / 100).astype(np.float16).astype(np.float64) * 100
    nits = rgb * unit
    def pq(x):  # SMPTE ST 2084
        p = (np.clip(x, 0, 1e4) / 1e4) ** (2610 / 16384)
        return ((3424 / 4096 + 2413 / 128 * p) / (1 + 2392 / 128 * p)) ** (2523 / 32)
    def space(r, g, b, white=(0.3127, 0.3290)):
        m = np.array([[x, y, 1 - x - y] for x, y in (r, g, b)]).T
        return m @ np.diag(np.linalg.solve(m, np.array([white[0] / white[1], 1, (1 - sum(white)) / white[1]])))
    xyz = nits @ space((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)).T
    level = lambda v: np.floor(pq(v) * 1023 + 0.5).astype(int)
    half = (xyz[..., 1] / 100).astype(np.float16).astype(np.float64) * 100
    levels = {"luminance": level(half), "red": level(nits[..., 0]), "green": level(nits[..., 1]), "blue": level(nits[..., 2])}
    result = {}
    for name, values in levels.items():
        ours = np.array(data["histogram"][name])
        result[name] = int(np.abs(ours - np.bincount(values.ravel(), minlength=1024)).sum())
        columns = (data["waveform"] if name == "luminance" else data["parade"])[name]
        bins = np.zeros((len(columns), 1024), int)
        for c, column in enumerate(columns): bins[c, column[0::2]] = column[1::2]
        which = np.arange(w) * len(columns) // w
        theirs = np.zeros_like(bins)
        np.add.at(theirs, (np.broadcast_to(which, (h, w)).ravel(), values.ravel()), 1)
        result[name + "_columns"] = int(np.abs(bins - theirs).sum())
    bright = xyz[..., 1] >= 0.1
    s = xyz @ [1, 15, 3]
    u, v = 4 * xyz[..., 0][bright] / s[bright], 9 * xyz[..., 1][bright] / s[bright]
    uv, c = np.stack([u, v]), data["chromaticity"]
    result["uv"] = float(max(np.abs(uv.mean(1) - c["mean"]).max(), np.abs(uv.min(1) - c["minimum"]).max(),
                             np.abs(uv.max(1) - c["maximum"]).max()))
    result["uv_pixels"] = int(abs(int(bright.sum()) - c["pixels"]))
    result["pixels"] = w * h
    print(json.dumps(result))
    """

  static let clips = [
    "hdr10_cup_1080p30_mdcv-clli-container-only_jona.mp4", "hlg_h264-10bit_amve_640x360_fate.mp4",
    "hdr10plus_tos_1920x800_s01.h265",
  ].filter { name in Clip.all.contains { $0.file == name } }

  @Test(arguments: clips)
  func binsAndChromaticityAsNumpyHasThem(_ name: String) throws {
    let scratch = try Scratch()
    let input = Clip.folder.appendingPathComponent(name).path
    let (light, data) = (scratch.path("light.rgba16Float"), scratch.path("data.json"))
    let dump = try Command.run([
      "dump", input, "-o", light, "-f", "rgba16Float", "--space", "extendedLinearITUR_2020", "--stage", "decoded",
      "--frames", "0", "-q",
    ])
    #expect(dump.status == 0, "\(dump.messages)")
    let result = try Command.run([
      "scopes", input, "-f", "null", "--frames", "0", "--data", data, "-q", "--scopes",
      "waveform,parade,histogram,chromaticity",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let isHLG = name.hasPrefix("hlg")
    let words = try Python.run(Self.script, [light, data, "100", isHLG ? "hlg" : "pq"])
    let found = try #require(try JSONSerialization.jsonObject(with: Data(words.utf8)) as? [String: Double])
    let pixels = try #require(found["pixels"])
    print("\(name): \(words.trimmingCharacters(in: .newlines))")
    for component in ["red", "green", "blue"] {
      // A pixel in the neighbouring bin is two differences. HLG's OOTF is looked up in a table.
      let limit = isHLG ? 0.02 * pixels : 0
      #expect(try #require(found[component]) <= limit)
      #expect(try #require(found[component + "_columns"]) <= limit)
    }
    // Sums in single precision, rounded to half float.
    let limit = (isHLG ? 0.02 : 0.002) * pixels
    #expect(try #require(found["luminance"]) <= limit && found["luminance_columns"]! <= limit)
    #expect(try #require(found["uv"]) < 0.0001)
    #expect(try #require(found["uv_pixels"]) <= 0.001 * pixels)
  }
}
