import CV4L2
import Foundation
import Frames
import Media
import Testing

import Capture

/// What a listing of devices says.
@Suite struct CaptureReportTests {
  private static func device(_ script: ScriptedDevice) throws -> CaptureDevice {
    try CaptureDevice(script, path: "/dev/video9")
  }

  @Test func formatsAndInputs() throws {
    let script = ScriptedDevice()
    script.modes = [.init(code: FourCC("P010"), rates: [(1, 50), (1, 25)]), .init(code: FourCC("VIVD"))]
    script.inputs = [("HDMI 0", 0), ("HDMI 1", UInt32(V4L2_IN_ST_NO_SIGNAL)), ("S-Video", UInt32(V4L2_IN_ST_NO_POWER))]
    script.input = 1
    script.timings = .success(.of(1920, 1080, clock: 2020 * 1130 * 50))
    let report = try Self.device(script).report
    #expect(report.driver == "scripted" && report.bus == "test:1" && report.path == "/dev/video9")
    #expect(report.formats.map(\.isReadable) == [true, false] && report.formats[0].name == "In words")
    #expect(report.formats[0].sizes.map(\.size) == [Size(width: 64, height: 48)])
    #expect(report.formats[0].sizes[0].rates == [Rational(50, 1), Rational(25, 1)])
    #expect(report.inputs.map(\.name) == ["HDMI 0", "HDMI 1", "S-Video"] && report.inputs[0].hasTimings)
    #expect(report.inputs.map(\.isSelected) == [false, true, false])
    #expect(report.inputs.map(\.loss) == [nil, .noSignal, .noPower])
    guard case .present(let size, let rate) = report.signal else {
      Issue.record("\(String(describing: report.signal))")
      return
    }
    #expect(size == Size(width: 1920, height: 1080) && rate?.value == 50)
    // A listing sets nothing.
    #expect(script.settings.isEmpty)
  }

  @Test func anInputIsChosen() throws {
    let script = ScriptedDevice()
    script.inputs = [("HDMI 0", 0), ("HDMI 1", 0)]
    let device = try Self.device(script)
    try device.select(input: 1)
    #expect(script.settings == ["input 1"] && device.inputs[1].isSelected)
    for number in [-1, 2, .max] {
      let error = #expect(throws: CaptureError.self) { try device.select(input: number) }
      #expect(error?.kind == .invalidRequest)
      #expect(error?.description == "'/dev/video9' has no input \(number): choose one of 0 (HDMI 0), 1 (HDMI 1).")
    }
    script.inputs = []
    let error = #expect(throws: CaptureError.self) { try device.select(input: 0) }
    #expect(error?.description == "'/dev/video9' has no inputs to choose from.")
  }

  @Test func controls() throws {
    let script = ScriptedDevice()
    let menu = V4L2_CTRL_TYPE_MENU.rawValue
    script.controls = [
      .init(id: 0x98_0001, name: "User controls", type: V4L2_CTRL_TYPE_CTRL_CLASS.rawValue),
      .init(id: 0x98_0900, name: "Brightness", type: V4L2_CTRL_TYPE_INTEGER.rawValue, range: -5...5, value: -3),
      .init(id: 0x98_0901, name: "Off", type: V4L2_CTRL_TYPE_BOOLEAN.rawValue, flags: UInt32(V4L2_CTRL_FLAG_DISABLED)),
      .init(id: 0x98_0902, name: "Pattern", type: menu, range: 0...2, value: 2, items: [0: "Bars", 2: "Ramp"]),
      .init(
        id: 0x98_0903, name: "Lines", type: V4L2_CTRL_TYPE_INTEGER_MENU.rawValue, range: 0...0,
        flags: UInt32(V4L2_CTRL_FLAG_READ_ONLY), items: [0: "525"]),
      .init(id: 0x98_0904, name: "Long", type: V4L2_CTRL_TYPE_INTEGER64.rawValue, range: 0...(.max), value: 1 << 40),
      .init(id: 0x98_0905, name: "Lookup", type: 0x101, flags: UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD)),
      // A menu without an end.
      .init(id: 0x98_0906, name: "Absurd", type: menu, range: .min...(.max)),
    ]
    let controls = try Self.device(script).controls
    #expect(controls.map(\.name) == ["Brightness", "Pattern", "Lines", "Long", "Lookup", "Absurd"])
    #expect(controls.map(\.kind) == [.integer, .menu, .menu, .integer, .compound, .menu])
    #expect(controls.map(\.value) == [-3, 2, 0, 1 << 40, nil, 0] && controls[0].minimum == -5)
    #expect(controls[1].items.map(\.name) == ["Bars", "Ramp"] && controls[1].items.map(\.value) == [0, 2])
    #expect(controls[2].items.map(\.name) == ["525"] && !controls[2].isSettable && controls[1].isSettable)
  }

  /// Timings of a signal, and answers that are none. Source: Linux, vidioc-query-dv-timings.rst.
  @Test func signals() throws {
    let script = ScriptedDevice()
    let device = try Self.device(script)
    #expect(try device.signal() == nil)
    for (code, loss) in [(ENOLINK, SignalLoss.noSignal), (ENOLCK, .noLock), (ERANGE, .outOfRange)] {
      script.timings = .failure(.init(code: code))
      #expect(try device.signal() == .absent(loss))
    }
    script.timings = .failure(.init(code: EIO))
    #expect(throws: CaptureError.requestFailed(path: "/dev/video9", request: "QUERY_DV_TIMINGS", code: EIO)) {
      try device.signal()
    }
    let absurd: [(v4l2_dv_timings, SignalLoss)] = [
      (.of(0, 0), .noSignal), (.of(100_000, 100_000), .outOfRange), (.of(.max, 1), .outOfRange),
    ]
    for (timings, loss) in absurd {
      script.timings = .success(timings)
      #expect(try device.signal() == .absent(loss) && device.lockToSignal() == .absent(loss))
    }
    var endless = v4l2_dv_timings.of(64, 48, clock: .max)
    (endless.bt.hfrontporch, endless.bt.vbackporch, endless.bt.il_vsync) = (.max, .max, .max)
    script.timings = .success(endless)
    #expect(try device.signal() == .present(size: Size(width: 64, height: 48), rate: nil))
  }
}
