import Displays
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
    #expect(nobody.status == 0 && nobody.messages.contains("--list"))
    #expect(try Command.run(["display", "--sysfs", root + "/nowhere"]).status == 2)
  }

  /// Displays that come and go are results: a line of JSON each.
  @Test func hotplug() throws {
    let edid = try Data(contentsOf: Self.edids.appendingPathComponent("acer-xv273k-dp1.bin"))
    let root = try sysfs(edid: edid, status: "disconnected")
    let output = scratch.path("watch.jsonl")
    try Data().write(to: URL(fileURLWithPath: output))
    let process = try Command.start(
      ["display", "--watch", "--json", "--sysfs", root], output: FileHandle(forWritingTo: URL(fileURLWithPath: output)),
      messages: FileHandle.nullDevice)
    func wait(_ lines: Int) throws -> [[String: Any]] {
      while true {
        let text = try String(contentsOfFile: output, encoding: .utf8)
        let shown = text.split(separator: "\n")
        if shown.count >= lines {
          return shown.compactMap { line in
            let report = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [[String: Any]]]
            return report?["displays"]?.first ?? [:]
          }
        }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
    #expect(try wait(1)[0].isEmpty)
    _ = try sysfs(edid: edid)
    #expect(try wait(2)[1]["name"] as? String == "XV273K")
    _ = try sysfs(edid: edid, status: "disconnected")
    let fault = try wait(3)[2]["fault"] as? String
    #expect(fault == "No display is connected to 'card0-HDMI-A-1'.")
    _ = try sysfs(edid: edid)
    #expect(try wait(4)[3]["name"] as? String == "XV273K")
    process.interrupt()
    process.waitUntilExit()
    #expect(try wait(4).count == 4)
  }

  /// A monitor that answers by DDC/CI, through a library that has libddcutil's functions.
  @Test func monitorsTellTheirBrightness() throws {
    let edid = try Data(contentsOf: Self.edids.appendingPathComponent("acer-xv273k-dp1.bin"))
    let root = try sysfs(edid: edid)
    try FileManager.default.createSymbolicLink(
      atPath: root + "/class/drm/card0-HDMI-A-1/ddc", withDestinationPath: "../../../i2c-7")
    func brightness(_ environment: [String: String]) throws -> Double? {
      let result = try Command.program(
        ["display", "HDMI-A-1", "--json", "--sysfs", root], environment: environment)
      let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [[String: Any]]]
      return report?["displays"]?.first?["brightness"] as? Double
    }
    #expect(try brightness(["LD_LIBRARY_PATH": "/nowhere"]) == nil)
    try Data(
      """
      import Glibc
      public typealias Object = UnsafeMutableRawPointer?
      nonisolated(unsafe) var isQuiet = [false, false]
      @_cdecl("ddca_create_busno_display_identifier")
      public func identify(_ bus: CInt, _ result: UnsafeMutablePointer<Object>) -> CInt {
        result.pointee = UnsafeMutableRawPointer(bitPattern: Int(bus))
        return isQuiet == [true, true] ? 0 : -1
      }
      @_cdecl("ddca_get_display_ref") public func find(_ display: Object, _ result: UnsafeMutablePointer<Object>) -> CInt {
        result.pointee = display
        return Int(bitPattern: display) == 7 ? 0 : -3020
      }
      @_cdecl("ddca_open_display2")
      public func open(_ display: Object, _ wait: Bool, _ result: UnsafeMutablePointer<Object>) -> CInt {
        result.pointee = display
        return 0
      }
      @_cdecl("ddca_get_non_table_vcp_value")
      public func read(_ display: Object, _ code: UInt8, _ value: UnsafeMutableRawPointer) -> CInt {
        for (index, byte) in [1, 44, 0, 150].enumerated() { value.storeBytes(of: UInt8(byte), toByteOffset: index, as: UInt8.self) }
        return code == 0x10 ? 0 : -1
      }
      @_cdecl("ddca_close_display") public func close(_ display: Object) -> CInt { 0 }
      @_cdecl("ddca_free_display_identifier") public func release(_ display: Object) -> CInt { 0 }
      @_cdecl("ddca_set_fout") public func output(_ file: Object) { isQuiet[0] = file == nil }
      @_cdecl("ddca_set_ferr") public func errors(_ file: Object) { isQuiet[1] = file == nil }
      """.utf8
    ).write(to: scratch.folder.appendingPathComponent("ddc.swift"))
    let compiler = "swiftc -emit-library -module-name ddc '\(scratch.path("ddc.swift"))'"
    try #require(try Command.shell("\(compiler) -o '\(scratch.path("libddcutil.so.4"))' 2>&1") == 0)
    // Half of the control's range, 150 of 300, is half-way from the lowest white to the highest.
    let model = try DisplayModel(EDID([UInt8](edid)), name: "")
    let expected = (1 + model.minimumSDRWhite / model.sdrWhite) / 2
    let shown = try #require(try brightness(["LD_LIBRARY_PATH": scratch.folder.path]))
    #expect(abs(shown - expected) < 1e-9)
  }

  @Test func whitePointsAreKept() throws {
    let edid = try Data(contentsOf: Self.edids.appendingPathComponent("acer-xv273k-dp1.bin"))
    let root = try sysfs(edid: edid)
    let environment = ["XDG_CONFIG_HOME": scratch.path("config")]
    func display(_ options: [String]) throws -> Command.Result {
      try Command.program(["display", "--sysfs", root] + options, environment: environment)
    }
    let white = ["HDMI-A-1", "--white-point", "measured=0.305,0.32,200:target=0.3127,0.329,150"]
    #expect(try display(white).output.contains("measured (0.3050, 0.3200)"))
    #expect(try display([]).output.contains("target (0.3127, 0.3290)"))
    #expect(try !display(["HDMI-A-1", "--reset-white-point"]).output.contains("white point"))
    for options in [
      ["--white-point", "measured=0.3,0.3"], ["HDMI-A-1", "--white-point", "target=0.3,0.3"],
      ["HDMI-A-1", "--white-point", "measured=0.9,0.3"], ["HDMI-A-1", "--white-point", "measured=0.3"],
    ] {
      #expect(try display(options).status == 2, "\(options)")
    }
    #expect(try display(["HDMI-A-2", "--reset-white-point"]).status == 1)
    #expect(try display(["HDMI-A-1", "--white-point", "measured=0.3,0.32:target=0.7,0.29"]).status == 1)
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
