import CV4L2
import ColorScience
import Foundation
import Frames
import Media
import Testing

import Capture

/// What devices offer, what they are set to, and what they say of their colours.
@Suite struct CaptureDeviceTests {
  private static func device(_ script: ScriptedDevice) throws -> CaptureDevice {
    try CaptureDevice(script, path: "/dev/video9")
  }

  @Test func whatItIs() throws {
    let device = try Self.device(ScriptedDevice())
    #expect(device.name == "Script " && device.bus == "test:1")
    let output = ScriptedDevice()
    output.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING)
    #expect(throws: CaptureError.isNoCaptureDevice(path: "/dev/video9", name: "Script ")) { try Self.device(output) }
    let other = ScriptedDevice()
    other.faults = [.init(request: DeviceRequests.queryCapabilities.code, code: ENOTTY)]
    #expect(throws: CaptureError.cannotOpen(path: "/dev/video9", code: ENOTTY)) { try Self.device(other) }
    #expect(throws: CaptureError.cannotOpen(path: "/nowhere", code: ENOENT)) { try CaptureDevice("/nowhere") }
    #expect(throws: CaptureError.cannotOpen(path: "/dev/null", code: ENOTTY)) { try CaptureDevice("/dev/null") }
  }

  @Test func codes() {
    #expect(FourCC("NV12").rawValue == 0x3231_564E && FourCC("NV12").text == "NV12" && FourCC("Y10 ").text == "Y10")
    #expect(FourCC(rawValue: 0x8001_3220).text == " 2..-BE")
    for format in CaptureFormat.known { #expect(CaptureFormat(format.code) == format) }
    #expect(CaptureFormat(FourCC("VIVD")) == nil)
  }

  @Test func theWidestThatKeepsTheRate() throws {
    let script = ScriptedDevice()
    let (small, large) = (Size(width: 64, height: 48), Size(width: 128, height: 96))
    script.modes = [
      .init(code: FourCC("MJPG"), size: large, rates: [(1, 60)]),
      .init(code: FourCC("NV12"), size: small, rates: [(1, 60)]),
      .init(code: FourCC("YUYV"), size: small, rates: [(1, 60), (1, 30)]),
      .init(code: FourCC("P010"), size: small, rates: [(1001, 60_000), (1, 30)]),
      .init(code: FourCC("P010"), size: large, rates: [(1, 30)]),
      .init(code: FourCC("NV12"), size: large, rates: [(1, 60)]),
    ]
    let device = try Self.device(script)
    func choice(_ change: (inout ModeChoice.Request) -> Void = { _ in }) throws -> ModeChoice {
      var request = ModeChoice.Request()
      change(&request)
      return try device.choose(request)
    }
    #expect(device.formats.map(\.text) == ["MJPG", "NV12", "YUYV", "P010"])
    // 59.94 is not 60: ten bits would cost frames, and 4:2:2 is wider than 4:2:0.
    let usual = try choice()
    #expect(usual.mode.description == "YUYV 64x48 at 60.0")
    #expect(usual.narrower.map(\.description) == ["NV12 64x48 at 60.0"])
    #expect(usual.slower.map(\.description) == ["P010 64x48 at 59.94", "P010 64x48 at 30.0"])
    #expect(try choice { $0.rate = Rational(30, 1) }.mode.description == "P010 64x48 at 30.0")
    #expect(try choice { $0.size = large }.mode.description == "NV12 128x96 at 60.0")
    #expect(try choice { ($0.size, $0.format) = (large, FourCC("P010")) }.mode.description == "P010 128x96 at 30.0")
    let error = #expect(throws: CaptureError.self) { try choice { $0.format = FourCC("Y210") } }
    #expect(
      error?.kind == .invalidRequest && error?.description.contains("no mode Y210: choose one of MJPG 128x96") == true)
    // Of as many bits the wider gamut, although it has less chroma.
    script.modes = [.init(code: FourCC("YUYV")), .init(code: FourCC("NV12"))]
    script.colors[FourCC("YUYV")] = (3, 0, 0, 0)
    #expect(try choice().mode.format.code.text == "NV12")
    // A coded format comes after all others, except at a rate that only it reaches.
    script.modes = [.init(code: FourCC("HEVC")), .init(code: FourCC("MJPG")), .init(code: FourCC("NV12"))]
    #expect(try choice().narrower.map(\.format.code.text) == ["HEVC", "MJPG"])
    script.modes[1].rates = [(1, 60)]
    #expect(try choice().mode.description == "MJPG 64x48 at 60.0")
    #expect(try choice().slower.map(\.format.code.text) == ["NV12"])
    #expect(try device.choose(isDecoding: false).mode.format.code.text == "NV12")
    script.modes = [.init(code: FourCC("VIVD"))]
    #expect(throws: CaptureError.hasNoFormat(path: "/dev/video9", offered: [FourCC("VIVD")])) { try choice() }
  }

  /// A television input has every size in a range: that of its standard, which it is set to, is meant.
  @Test func sizesOfARange() throws {
    let script = ScriptedDevice()
    let size = Size(width: 720, height: 576)
    script.modes = [.init(code: FourCC("XR24"), size: size), .init(code: FourCC("YUYV"), size: size)]
    script.set = script.modes[1]
    script.range = v4l2_frmsize_stepwise(
      min_width: 48, max_width: 16384, step_width: 2, min_height: 48, max_height: 8640, step_height: 2)
    let device = try Self.device(script)
    func choice(_ width: Int, _ height: Int) throws -> Size {
      var request = ModeChoice.Request()
      request.size = Size(width: width, height: height)
      return try device.choose(request).mode.size
    }
    #expect(try device.choose().mode.description == "YUYV 720x576 at 50.0" && device.choose().reason == .kept)
    #expect(try choice(768, 480) == Size(width: 768, height: 480))
    for (width, height) in [(769, 480), (46, 480), (16386, 480)] {
      let error = #expect(throws: CaptureError.self) { try choice(width, height) }
      if case .hasNoMode = error {} else { Issue.record("\(String(describing: error))") }
    }
    // 270 MiB a frame.
    let error = #expect(throws: CaptureError.self) { try choice(16384, 8640) }
    #expect(error?.description.contains("has 270 MiB, and at most 160 MiB are captured") == true)
    // With digital video timings the widest format is the better one.
    script.timings = .success(.of(720, 576))
    #expect(try device.choose().mode.description == "XR24 720x576 at 50.0")
    #expect(script.settings.isEmpty)
  }

  @Test func manyModesAreATable() {
    let formats = ["NV12", "YUYV"].compactMap { FourCC(characters: $0) }.compactMap(CaptureFormat.init)
    let modes = formats.flatMap { format in
      (1...100).map { CaptureMode(format, Size(width: 2 * $0, height: 2 * $0), rate: Rational(60, 1)) }
    }
    let words = CaptureError.hasNoMode(path: "/dev/video9", asked: "Y210", offered: modes).description
    #expect(words.hasPrefix("'/dev/video9' has no mode Y210: choose one of:\n  NV12, YUYV: 2x2 at 60.0, 4x4 at 60.0, "))
    #expect(words.hasSuffix("20x20 at 60.0, ... (90 more)") && words.count < 300)
  }

  /// What is only looked up is what would be set.
  @Test func whatIsLookedUpIsNotSet() throws {
    let script = ScriptedDevice()
    script.modes = [.init(code: FourCC("P010")), .init(code: FourCC("NV12"))]
    let device = try Self.device(script)
    let mode = device.modes[1]
    let looked = try device.tryOut(mode)
    #expect(script.settings.isEmpty && script.set.code == FourCC("P010"))
    #expect(try device.setUp(mode) == looked)
  }

  /// A driver that sets something else is caught: FFmpeg's input would go on in 8 bit.
  @Test func nothingElseIsSetUp() throws {
    let script = ScriptedDevice()
    script.modes = [.init(code: FourCC("P010"))]
    let device = try Self.device(script)
    let mode = try device.choose().mode
    #expect(try device.setUp(mode).mode == mode)
    for change: (inout v4l2_format) -> Void in [
      { $0.fmt.pix.pixelformat = FourCC("YUYV").rawValue }, { $0.fmt.pix.width = 32 },
      { $0.fmt.pix.field = V4L2_FIELD_ALTERNATE.rawValue },
    ] {
      script.change = change
      let error = #expect(throws: CaptureError.self) { try device.setUp(mode) }
      if case .isInconsistent = error {} else { Issue.record("\(String(describing: error))") }
    }
    script.change = { _ in }
    script.faults = [.init(request: DeviceRequests.setFormat.code, count: .max, code: EBUSY)]
    let busy = #expect(throws: CaptureError.self) { try device.setUp(mode) }
    #expect(busy?.kind == .temporary)
  }

  /// Rows of the kernel's documentation: colorspace, transfer, encoding, range; what they mean in H.273 for Y'CbCr.
  @Test(
    arguments: [
      ((10, 7, 6, 2), ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL)),
      ((10, 0, 0, 0), ColorDescription(primaries: .bt2020, transfer: .bt709, matrix: .bt2020NCL)),
      ((10, 7, 7, 1), ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020CL, range: .full)),
      ((3, 0, 0, 0), ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .bt709)),
      ((1, 0, 0, 0), ColorDescription(primaries: .smpte170M, transfer: .bt709, matrix: .smpte170M)),
      ((8, 0, 0, 0), ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .smpte170M)),
      ((7, 0, 0, 0), ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .smpte170M, range: .full)),
      ((2, 0, 0, 0), ColorDescription(primaries: .smpte240M, transfer: .smpte240M, matrix: .smpte240M)),
      ((6, 0, 0, 0), ColorDescription(primaries: .bt470BG, transfer: .bt709, matrix: .smpte170M)),
      ((12, 0, 0, 0), ColorDescription(primaries: .dciP3, transfer: .smpteST428, matrix: .bt709)),
      ((9, 0, 0, 0), ColorDescription(primaries: .unspecified, transfer: .gamma22, matrix: .smpte170M)),
      ((0, 0, 0, 0), ColorDescription(primaries: .unspecified, transfer: .unspecified, matrix: .unspecified)),
      ((99, 99, 99, 99), ColorDescription(primaries: .unspecified, transfer: .bt709, matrix: .smpte170M)),
    ] as [((UInt32, UInt32, UInt32, UInt32), ColorDescription)])
  func colorimetry(_ stated: (UInt32, UInt32, UInt32, UInt32), _ color: ColorDescription) throws {
    for multiplanar in [false, true] {
      let script = ScriptedDevice()
      script.color = stated
      if multiplanar { script.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING) }
      script.modes = [.init(code: FourCC("NV12")), .init(code: FourCC("RGB3"))]
      let device = try Self.device(script)
      #expect(try device.setUp(device.modes[0]).color == color)
      // R'G'B' is full range unless the driver says otherwise.
      let rgb = try device.setUp(device.modes[1]).color
      #expect(rgb.matrix == .rgb && rgb.range == (stated.3 == 2 ? .narrow : .full))
    }
  }

  @Test func metadata() throws {
    let script = ScriptedDevice()
    let device = try Self.device(script)
    #expect(device.metadata == HDRMetadata())
    script.contentLight = v4l2_ctrl_hdr10_cll_info(max_content_light_level: 1000, max_pic_average_light_level: 400)
    // Green, blue, red.
    script.mastering = v4l2_ctrl_hdr10_mastering_display(
      display_primaries_x: (8500, 6550, 35_400), display_primaries_y: (39_850, 2300, 14_600), white_point_x: 15_635,
      white_point_y: 16_450, max_display_mastering_luminance: 10_000_000, min_display_mastering_luminance: 1)
    #expect(device.metadata.contentLight == ContentLight(maxCLL: 1000, maxFALL: 400))
    let display = try #require(device.metadata.masteringDisplay)
    #expect(display.red.x == 35_400 && display.green.y == 39_850 && display.blue.x == 6550 && display.white.y == 16_450)
    #expect(display.maxLuminance == 10_000_000 && display.minLuminance == 1)
    // Zeros say that nothing is known.
    script.contentLight = v4l2_ctrl_hdr10_cll_info()
    script.mastering = v4l2_ctrl_hdr10_mastering_display()
    #expect(device.metadata == HDRMetadata())
  }

  /// Components in the order of their bytes. Source: Linux, Documentation/userspace-api/media/v4l/pixfmt-rgb.rst.
  @Test(arguments: [
    ("RGB3", "rgb"), ("BGR3", "bgr"), ("XR24", "bgrx"), ("AR24", "bgrx"), ("BGR4", "bgrx"), ("XB24", "rgbx"),
    ("AB24", "rgbx"), ("BX24", "xrgb"), ("BA24", "xrgb"), ("RGB4", "xrgb"),
  ])
  func colorsHaveTheirPlace(_ code: String, _ order: String) throws {
    let format = try #require(FourCC(characters: code).flatMap(CaptureFormat.init))
    #expect(try "\(#require(format.layout).packing)" == order)
  }
}
