import Foundation
import TestSupport
import Testing

/// `constant-color --calibrate`, `--calibrate-spectra` and `--compare`.
@Suite struct ConstantColorCalibrationTests {
  private func object(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Report files of two captures of one pair.
  private func reports(_ scratch: Scratch) throws -> [String] {
    let (ambient, flash) = try scratch.flashPair()
    return try ["one", "two"].map { name in
      let path = scratch.path("\(name).json")
      let result = try Command.run([
        "constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("\(name).png"), "--report",
        path,
        "-q", "--roi", "2,2,12,12=corner",
      ])
      #expect(result.status == 0, "\(result.messages)")
      return path
    }
  }

  @Test func aChartCalibrates() throws {
    let scratch = try Scratch()
    // White fills the signal's range in the pattern: a picture of a chart must not clip.
    let pattern = try Verdict.make("colorchecker", "pattern.png", in: scratch, duration: 0, ["--to", "sdr"])
    let chart = scratch.path("chart.png")
    try Tool.ffmpeg.run([
      "-i", pattern, "-vf", "lutrgb=r=val*0.8:g=val*0.8:b=val*0.8", "-pix_fmt", "rgb48be", "-y", chart,
    ])
    let calibration = scratch.path("camera.json")
    let made = try Command.run([
      "constant-color", "--calibrate", "--flash", chart, "-o", calibration, "--camera-name", "Box 7", "--flash-name",
      "Torch",
    ])
    #expect(made.status == 0 && made.output.hasPrefix("calibration  Box 7, Torch\nΔE2000"), "\(made.messages)")
    #expect(try object(calibration)["camera"] as? String == "Box 7")
    let (ambient, flash) = try scratch.flashPair()
    let used = try Command.run([
      "constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("out.png"), "--calibration",
      calibration,
    ])
    #expect(used.status == 0 && used.output.contains("calibration Box 7, Torch"), "\(used.messages)")
    #expect(!used.messages.contains("--flash-temperature"))
  }

  @Test func spectraCalibrate() throws {
    let scratch = try Scratch()
    func bell(_ wavelength: Int, _ center: Double) -> Double { exp(-pow((Double(wavelength) - center) / 45, 2)) }
    let wavelengths = stride(from: 380, through: 730, by: 10)
    let camera = wavelengths.map { "\($0),\(bell($0, 600)),\(bell($0, 540)),\(bell($0, 460))" }
    try ("nm,r,g,b\n" + camera.joined(separator: "\n")).write(
      toFile: scratch.path("camera.csv"), atomically: true, encoding: .utf8)
    try wavelengths.map { "\($0),1" }.joined(separator: "\n").write(
      toFile: scratch.path("flash.csv"), atomically: true, encoding: .utf8)
    let spectra = "\(scratch.path("camera.csv")),\(scratch.path("flash.csv"))"
    let output = scratch.path("box.json")
    let result = try Command.run([
      "constant-color", "--calibrate-spectra", spectra, "--camera-name", "Box 7", "-o", output, "--json",
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try object(output)["components"] as? String == "Box 7" && result.output.contains("\"spectra\""))
    // Pictures of another camera.
    let (ambient, flash) = try scratch.flashPair()
    let refused = try Command.run([
      "constant-color", "--without-flash", ambient, "--flash", flash, "-o", scratch.path("out.png"), "--calibration",
      output,
    ])
    #expect(refused.status == 1 && refused.messages.contains("Box 7"), "\(refused.messages)")
  }

  @Test func capturesAreCompared() throws {
    let scratch = try Scratch()
    let reports = try reports(scratch)
    let page = scratch.path("colours.html")
    let result = try Command.run(["constant-color", "--compare"] + reports + ["-o", page])
    #expect(result.status == 0 && result.output.contains("corner"), "\(result.messages)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<svg"))
    let json = try Command.run(["constant-color", "--compare"] + reports + ["--json", "--reference", reports[1]])
    #expect(json.status == 0 && json.output.contains("\"regions\""))
    // Neither a page nor a report is replaced.
    let again = try Command.run(["constant-color", "--compare"] + reports + ["-o", page])
    #expect(again.status == 1 && again.messages.contains("--overwrite"))
  }

  @Test func refusals() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let (torn, other, csv) = (scratch.path("torn.json"), scratch.path("other.json"), scratch.path("a.csv"))
    try Data("{\"format\": 1".utf8).write(to: URL(fileURLWithPath: torn))
    try Data("{\"format\": 1e99, \"regions\": [null, {}]}".utf8).write(to: URL(fileURLWithPath: other))
    try Data("400,1\n500,x\n".utf8).write(to: URL(fileURLWithPath: csv))
    let before = Set(scratch.contents)
    let out = scratch.path("out.json")
    let cases: [(Int32, String, [String])] = [
      (2, "-o", ["--calibrate", "--flash", flash]), (2, "--flash", ["--calibrate", "-o", out]),
      (2, "--roi", ["--calibrate", "--flash", flash, "-o", out, "--roi", "1,2,3,4"]),
      (2, "--from", ["--calibrate", "--from", "a.mkv", "-o", out]),
      (2, "--chart", ["--calibrate", "--flash", flash, "-o", out, "--chart", "1,2,3"]),
      (2, "--even needs --calibrate", ["--without-flash", ambient, "--flash", flash, "-o", "a.png", "--even", flash]),
      (2, "without --without-flash", ["--calibrate", "--flash", flash, "-o", out, "--exposure-ratio", "2"]),
      (
        2, "omit --exposure-ratio",
        ["--calibrate-spectra", "\(csv),\(csv)", "--camera-name", "Box", "-o", out, "--exposure-ratio", "2"]
      ),
      (2, "--camera-name", ["--calibrate-spectra", "\(csv),\(csv)", "-o", out]),
      (2, "--flash", ["--calibrate-spectra", "\(csv),\(csv)", "--flash", flash, "--camera-name", "Box", "-o", out]),
      (2, "--calibrate-spectra", ["--calibrate-spectra", csv, "--camera-name", "Box", "-o", out]),
      (2, "--compare", ["--reference", torn]), (2, "--ambient", ["--compare", torn, "--ambient", ambient]),
      (2, ".html", ["--compare", torn, "-o", scratch.path("a.png")]),
      (1, "ColorChecker", ["--calibrate", "--flash", flash, "-o", out]),
      (1, "Line 1 of the camera's table", ["--calibrate-spectra", "\(csv),\(csv)", "--camera-name", "Box", "-o", out]),
      (1, "missing", ["--calibrate", "--flash", scratch.path("missing.png"), "-o", out]),
      (1, "torn.json", ["--compare", torn]), (1, "other.json", ["--compare", other]),
      (1, "missing.json", ["--compare", scratch.path("missing.json")]),
      (
        1, "--calibration",
        ["--without-flash", ambient, "--flash", flash, "-o", scratch.path("a.png"), "--calibration", torn]
      ),
    ]
    for (status, says, arguments) in cases {
      let result = try Command.run(["constant-color"] + arguments)
      #expect(result.status == status && result.messages.contains(says), "\(arguments): \(result.messages)")
      #expect(result.output.isEmpty && Set(scratch.contents) == before, "\(arguments)")
    }
  }
}
