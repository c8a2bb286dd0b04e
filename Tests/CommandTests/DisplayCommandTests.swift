import Foundation
import TestSupport
import Testing

/// `headroom display`, and the options of displays.
@Suite struct DisplayCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A folder that is shaped like `/sys`, with one connector.
  private func sysfs(edid: Data, status: String = "connected") throws -> String {
    let folder = scratch.folder.appendingPathComponent("class/drm/card0-HDMI-A-1")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try edid.write(to: folder.appendingPathComponent("edid"))
    try Data(status.utf8).write(to: folder.appendingPathComponent("status"))
    return scratch.folder.path
  }

  private static let edids = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("DisplaysTests/EDIDs")

  @Test func whatIsConnected() throws {
    let edid = try Data(contentsOf: Self.edids.appendingPathComponent("acer-acr0632-dp.bin"))
    let root = try sysfs(edid: edid)
    let all = try Command.run(["display", "--sysfs", root])
    #expect(all.status == 0 && all.output.hasPrefix("card0-HDMI-A-1: "))
    let json = try Command.run(["display", "HDMI-A-1", "--json", "--sysfs", root])
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [[String: Any]]]
    #expect(report?["displays"]?.first?["source"] as? String == "card0-HDMI-A-1")
    // Another display that is faulty is said; one that was named is an error.
    _ = try sysfs(edid: edid.prefix(100))
    let faulty = try Command.run(["display", "--sysfs", root])
    #expect(faulty.status == 0 && faulty.output.contains("at least 128 bytes"))
    let named = try Command.run(["display", "HDMI-A-1", "--sysfs", root])
    #expect(named.status == 1 && named.messages.contains("at least 128 bytes"))
    _ = try sysfs(edid: edid, status: "disconnected")
    let gone = try Command.run(["display", "HDMI-A-1", "--sysfs", root])
    #expect(gone.status == 1 && gone.messages.contains("No display is connected to 'HDMI-A-1'"))
    let nobody = try Command.run(["display", "--sysfs", root])
    #expect(nobody.status == 0 && nobody.messages.contains("--presets"))
    #expect(try Command.run(["display", "--sysfs", root + "/nowhere"]).status == 2)
  }

  @Test func optionsWithoutADisplay() throws {
    for (options, says) in [
      (["--hdr-threshold", "2"], "--display"), (["--hdr-threshold", "2", "--display", "edr-5", "--to", "sdr"], "--to"),
      (["--headroom-ramp", "2", "--display", "edr-5"], "--follow"), (["--display", "edr-6"], "edr-5"),
    ] {
      let result = try Command.run(["transcode", "in.mkv", "-o", scratch.path("out.mkv")] + options)
      #expect(result.status == 2 && result.messages.contains(says), "\(options)")
    }
  }

  /// A space for SDR is of the display's SDR, whatever its headroom is.
  @Test func picturesOfSDRAreNotDarkened() throws {
    let input = try scratch.clip(
      "in.mkv", size: "64x48", frames: 1,
      ["-vf", "format=gbrp10le", "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084"]
        + ["-colorspace", "rgb", "-color_range", "pc"])
    func picture(_ name: String, _ options: [String]) throws -> Data {
      let output = scratch.path(name)
      let result = try Command.run(
        ["dump", input, "--at", "0", "-o", output, "--space", "srgb", "--display", "edr-5"] + options)
      #expect(result.status == 0)
      return try Data(contentsOf: URL(fileURLWithPath: output))
    }
    #expect(try picture("a.png", []) == picture("b.png", ["--to", "sdr"]))
  }
}
