import ColorScience
import Displays
import Foundation
import ImageFiles
import Sessions
import SessionsTestSupport
import TestSupport
import Testing

/// Pixels in a display's own primaries and transfer, against vectors of colour-science (`tools/reference-vectors.py`).
@Suite struct DisplayPixelTests {
  private struct Row: Decodable {
    let display: String
    /// R'G'B' of BT.709.
    let signal: [Double]
    /// R'G'B' of the display.
    let code: [Double]
  }

  private static let rows: [Row] = Vectors.colors("display-pixels")

  private static let custom = RGBSpace(
    red: Chromaticity(x: 0.69, y: 0.3), green: Chromaticity(x: 0.18, y: 0.74), blue: Chromaticity(x: 0.145, y: 0.05),
    white: .d65)

  private static func model(_ name: String) throws -> DisplayModel {
    if let preset = DisplayModel.preset(named: name) { return preset }
    func model(_ primaries: RGBSpace, _ transfer: DisplayTransfer, peak: Double = 400, white: Double = 250)
      -> DisplayModel
    {
      DisplayModel(name, peak: peak, sdrWhite: white, primaries: primaries, transfer: transfer)
    }
    switch name {
    case "custom": return model(custom, .gamma(2.35))
    case "pq": return model(custom, .pq)
    case "bt1886":
      var black = model(.bt709, .bt1886)
      black.black = 0.4
      return black
    default:
      var fine = model(.displayP3, .gamma(2.2), peak: 100, white: 100)
      fine.whitePoint = WhitePointAdaptation(
        measured: .init(Chromaticity(x: 0.305, y: 0.32)), target: .init(.d65))
      return fine
    }
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A picture of these signals, one a column, as a display's own pixels.
  private func pixels(_ rows: [Row], _ change: (inout PictureRequest) -> Void) throws -> [SIMD3<Double>] {
    var planes = Data()
    for plane in [1, 2, 0] {
      let line = rows.map { UInt16(($0.signal[plane] * 4095).rounded()) }
      for _ in 0..<4 { planes += line.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
    }
    let input = scratch.path("in.mkv")
    try Tool.ffmpeg.run(
      ["-f", "rawvideo", "-pix_fmt", "gbrp12le", "-s", "\(rows.count)x4", "-i", scratch.file("raw", planes)]
        + ["-c:v", "ffv1", "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "rgb"]
        + ["-color_range", "pc", "-y", input])
    var request = PictureRequest(input: input, output: scratch.path("out.png"), format: .png)
    (request.overwrites, request.selection.at) = (true, 0)
    request.mapping.chosenKind = .display
    // Values as they are: nothing is mapped.
    request.input.overrides.descriptor = DescriptorArgument(rawValue: "none")?.stated
    change(&request)
    try Session().run(request)
    let data = try Tool.ffmpeg.run(["-i", request.output, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"])
    return (0..<rows.count).map { x in
      func code(_ c: Int) -> Double { Double(Int(data[6 * x + 2 * c]) | Int(data[6 * x + 2 * c + 1]) << 8) / 65_535 }
      return SIMD3(code(0), code(1), code(2))
    }
  }

  @Test(arguments: ["p3-d65", "p3-dci", "srgb", "custom", "pq", "bt1886", "white"])
  func areWhatColourScienceSays(_ name: String) throws {
    let rows = Self.rows.filter { $0.display == name }
    try #require(rows.count == 15)
    let model = try Self.model(name)
    let shown = try pixels(rows) { $0.mapping.display = DisplayStatus(model) }
    for (row, code) in zip(rows, shown) {
      for c in 0..<3 {
        // A code of twelve bits; curves without a linear part are steep near black.
        let isDark = row.code[c] < 0.02
        #expect(
          abs(code[c] - row.code[c]) < (isDark ? 0.004 : 1.0 / 4095), "\(name) \(row.signal): \(code), not \(row.code)")
      }
    }
  }

  @Test func carryNoTags() throws {
    let rows = Self.rows.filter { $0.display == "srgb" }
    _ = try pixels(rows) { $0.mapping.display = DisplayStatus(.reference) }
    let png = try scratch.bytes(scratch.path("out.png"))
    for chunk in ["cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV"] { #expect(png.range(of: Data(chunk.utf8)) == nil) }
    #expect(png.range(of: Data("IDAT".utf8)) != nil)
  }

  @Test func refusals() throws {
    func refuses(
      _ code: Message.Code, _ part: String, _ format: ImageFormat, _ change: (inout PictureRequest) -> Void
    ) {
      expectRefusal(code, part) { session in
        var request = PictureRequest(
          input: Sample.hdr10, output: scratch.path("x.\(format.suffixes.first ?? "")"), format: format)
        (request.mapping.chosenKind, request.mapping.display) = (.display, DisplayStatus(.reference))
        request.selection.at = 0
        change(&request)
        return try session.plan(request)
      }
    }
    refuses("no-display", "outputKind display", .png) { $0.mapping.display = nil }
    refuses("no-display", "outputKind display", .png) {
      ($0.mapping.chosenKind, $0.mapping.display, $0.space) = (nil, nil, .display)
    }
    refuses("picture-space-unsupported", "exr cannot carry display:", .exr) { _ in }
    refuses("display-has-own-space", "omit space srgb.", .png) { $0.space = .sRGB }
    refuses("display-needs-mapped-stage", "not stage output:", .png) { $0.stage = .output }
    expectRefusal("display-pixels-as-video", "outputKind display") {
      var request = TranscodeRequest(input: Sample.hdr10, output: nil)
      request.coding.format = "null"
      (request.mapping.chosenKind, request.mapping.display) = (.display, DisplayStatus(.reference))
      return try $0.plan(request)
    }
    var request = PictureRequest(input: Sample.hdr10, output: scratch.path("n.png"), format: .png)
    (request.mapping.chosenKind, request.mapping.display) = (.display, DisplayStatus(.reference))
    request.selection.at = 0
    let notes = try Session().plan(request).notes
    #expect(notes.contains { $0.code == "display-pixels" && $0.words.contains("'reference'") })
  }
}
