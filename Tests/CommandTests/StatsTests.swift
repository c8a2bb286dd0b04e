import Foundation
import TestSupport
import Testing

/// Shares of pixels outside of gamuts against numpy, which decodes and converts by itself.
@Suite struct StatsTests {
  /// Shares outside of BT.709 and P3 and above 203 cd/m², of ten-bit 4:2:0 of BT.2020 with chroma on the left.
  private static let script = """
    import json, subprocess, sys, numpy as np
    path, transfer, site = sys.argv[1:4]; w, h = int(sys.argv[4]), int(sys.argv[5])
    def space(r, g, b, white=(0.3127, 0.3290)):
        m = np.array([[x, y, 1 - x - y] for x, y in (r, g, b)]).T
        return m @ np.diag(np.linalg.solve(m, np.array([white[0] / white[1], 1, (1 - sum(white)) / white[1]])))
    wide = space((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    gamuts = [space((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)), space((0.68, 0.32), (0.265, 0.69), (0.15, 0.06))]
    def pq(v):
        p = np.clip(v, 0, 1) ** (32 / 2523)
        return 1e4 * (np.maximum(p - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * p)) ** (16384 / 2610)
    def hlg(v):
        a = 0.17883277; b = 1 - 4 * a; c = 0.5 - a * np.log(4 * a); v = np.maximum(v, 0)
        return np.where(v <= 0.5, v * v / 3, (np.exp((v - c) / a) + b) / 12)
    def up(c):
        n = np.concatenate([c[:, 1:], c[:, -1:]], 1); o = np.empty((c.shape[0], w))
        o[:, 0::2] = c[:, :(w + 1) // 2]; o[:, 1::2] = ((c + n) / 2)[:, :w // 2]
        above, below = np.concatenate([o[:1], o[:-1]]), np.concatenate([o[1:], o[-1:]])
        r = np.empty((h, w))
        if site == "topleft": r[0::2], r[1::2] = o[:(h + 1) // 2], ((o + below) / 2)[:h // 2]
        else: r[0::2], r[1::2] = (0.75 * o + 0.25 * above)[:(h + 1) // 2], (0.75 * o + 0.25 * below)[:h // 2]
        return r
    raw = subprocess.run(["ffmpeg", "-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0", "-frames:v", "3", "-f",
                          "rawvideo", "-pix_fmt", "yuv420p10le", "-"], capture_output=True).stdout
    a = np.frombuffer(raw, np.uint16).astype(float); cw, ch = (w + 1) // 2, (h + 1) // 2; size = w * h + 2 * cw * ch
    for f in range(len(a) // size):
        b = a[f * size:(f + 1) * size]
        y = (b[:w * h].reshape(h, w) - 64) / 876
        cb, cr = [(up(b[w * h + k * cw * ch:][:cw * ch].reshape(ch, cw)) - 512) / 896 for k in (0, 1)]
        r, bl = y + 1.4746 * cr, y + 1.8814 * cb
        signal = np.stack([r, (y - 0.2627 * r - 0.0593 * bl) / 0.6780, bl], -1)
        light, floor = (pq(signal), 0.01) if transfer == "pq" else (hlg(signal), (0.01 / 1000) ** (1 / 1.2))
        shares = []
        for gamut in gamuts:
            o = light @ (np.linalg.inv(gamut) @ wide).T
            shares.append(float(((o.min(-1) + 0.01 * o.sum(-1)) < -floor).mean()))
        y = light @ wide[1]
        nits = y if transfer == "pq" else 1000 * np.maximum(y, 0) ** 1.2
        print(json.dumps(shares + [float((nits > 203).mean())]))
    """

  static let clips = [
    ("hdr10_cup_1080p30_mdcv-clli-container-only_jona.mp4", "pq", "left", 1920, 1080),
    ("hdr10_cartoon_720p25_sei-mdcv-cll_jona.mp4", "pq", "left", 1280, 720),
    ("hlg_h264-10bit_amve_640x360_fate.mp4", "hlg", "left", 640, 360),
    ("hdr10_testsrc2_320x180_10bit_nometa.mp4", "pq", "left", 320, 180),
  ].filter { clip in Clip.all.contains { $0.file == clip.0 } }

  @Test(arguments: clips)
  func sharesAsNumpyHasThem(_ name: String, _ transfer: String, _ site: String, _ width: Int, _ height: Int) throws {
    let path = Clip.folder.appendingPathComponent(name).path
    let location = try Probe(path, ["-show_streams", "-select_streams", "v:0"]).streams?.first?.chroma_location
    let tagged = location == "topleft" ? "topleft" : site
    let result = try Command.program(["transcode", path, "-f", "null", "--frames", "0-2", "--stats", "-", "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let lines = result.output.split(separator: "\n").compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let expected = try Python.run(Self.script, [path, transfer, tagged, "\(width)", "\(height)"]).split(separator: "\n")
      .map { try JSONDecoder().decode([Double].self, from: Data($0.utf8)) }
    #expect(lines.count == expected.count + 1 && !expected.isEmpty)
    for (line, shares) in zip(lines, expected) {
      for (key, share) in zip(["outside_bt709", "outside_p3", "above_203"], shares) {
        let found = try #require(line[key] as? Double)
        #expect((found - share).magnitude < 0.001, "\(name) \(key): \(found), numpy has \(share)")
      }
    }
  }

  /// Lines for frames, the last for all; hues sum up; the report has the same.
  @Test func linesAndReport() throws {
    let scratch = try Scratch()
    let (stats, report) = (scratch.path("stats.jsonl"), scratch.path("report.json"))
    let result = try Command.run([
      "transcode", "media/hdr10-sample.mp4", "-f", "null", "--frames", "0-4", "--stats", stats, "--report", report,
      "-q",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let lines = try String(contentsOfFile: stats, encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.count == 6 && lines.dropLast().map { $0["frame"] as? Int } == [0, 1, 2, 3, 4])
    let sum = try #require(lines.last)
    #expect(sum["frames"] as? Int == 5 && sum["sdr_white_nits"] as? Double == 100)
    let hues = try #require(sum["hues"] as? [String: [String: Double]])
    #expect(Set(hues.keys) == ["red", "yellow", "green", "cyan", "blue", "magenta", "neutral"])
    #expect((hues.values.reduce(0) { $0 + ($1["share"] ?? 0) } - 1).magnitude < 1e-5)
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report))) as? [String: Any])
    let colors = try #require(whole["colors"] as? [String: Any])
    #expect(colors["outside_bt709"] as? Double == sum["outside_bt709"] as? Double)
    #expect(colors["pixels"] as? Int == sum["pixels"] as? Int)
  }

  /// A place of its own, and nothing that is left half written.
  @Test func refusals() throws {
    let scratch = try Scratch()
    let stats = scratch.path("stats.jsonl")
    func status(_ arguments: [String]) throws -> Int32 {
      try Command.run(["transcode", "media/hdr10-sample.mp4", "-q"] + arguments).status
    }
    #expect(try status(["-o", "-", "-f", "null", "--stats", "-"]) == 2)
    #expect(try status(["-f", "null", "--stats", scratch.path("none/stats")]) == 1)
    #expect(try status(["-f", "null", "--stats", "media/hdr10-sample.mp4"]) == 2)
    #expect(try status(["-f", "null", "--stats", stats, "--frames", "100000"]) == 1)
    // A name that is the output's, said in another way; one of the pictures; a refusal after the plan; a contact sheet.
    #expect(try status(["-o", scratch.path("a.mp4"), "--stats", scratch.path("./a.mp4"), "--frames", "0"]) == 2)
    let pictures = ["dump", "media/hdr10-sample.mp4", "-q", "--frames", "0-1", "-o", scratch.path("%02d.png")]
    #expect(try Command.run(pictures + ["--stats", scratch.path("00.png")]).status == 2)
    #expect(try status(["-o", scratch.path("a.mp4"), "--filter", "scopes=share=0.1", "--stats", stats]) == 2)
    let sheet = ["dump", "media/hdr10-sample.mp4", "-q", "--contact", "2x2", "-o", scratch.path("sheet.png")]
    #expect(try Command.run(sheet + ["--stats", stats]).status == 2)
    #expect(scratch.contents.isEmpty)
    #expect(try status(["-f", "null", "--stats", stats, "--frames", "0"]) == 0)
    #expect(try status(["-f", "null", "--stats", stats, "--frames", "0"]) == 1)
    #expect(scratch.contents == ["stats.jsonl"])
  }
}
