import ColorScience
import Displays
import Foundation
import Testing

/// EDIDs of real displays against edid-decode, column by column.
struct EDIDIndexTests {
  @Test func indexIsComplete() {
    #expect(EDIDIndex.entries.count >= 50)
  }

  @Test(arguments: EDIDIndex.entries)
  func agreesWithReference(_ entry: EDIDIndex.Entry) throws {
    let bytes = try entry.bytes()
    if let expected = entry["error"] {
      let error = #expect(throws: EDIDError.self) { try EDID(bytes) }
      #expect(error.map(Self.name) == expected)
      return
    }
    let edid = try EDID(bytes)
    for (column, actual) in Self.words(of: edid) {
      #expect(actual == entry[column], "\(column)")
    }
    for (column, actual, tolerance) in Self.numbers(of: edid) {
      let expected = entry.numbers(column)
      #expect(
        actual.count == expected.count && zip(actual, expected).allSatisfy { abs($0 - $1) <= tolerance },
        "\(column): \(actual) instead of \(expected)")
    }
  }

  /// Displays as they are taken to be: HDR only with PQ or HLG, whatever else they state.
  @Test(arguments: EDIDIndex.entries.filter { $0["error"] == nil })
  func model(_ entry: EDIDIndex.Entry) throws {
    let model = DisplayModel(try EDID(entry.bytes()), name: "none")
    let eotfs = Set(entry["eotfs"]?.split(separator: "|").map(String.init) ?? [])
    let isHDR = !eotfs.isDisjoint(with: ["pq", "hlg"])
    let stated = ["id_max", "id_full", "max"].lazy.compactMap { entry.numbers($0).first }.first
    let peak = stated ?? (isHDR ? 1000 : 100)
    #expect(abs(model.peak / peak - 1) < 1e-5)
    #expect(abs(model.sdrWhite / (isHDR ? min(peak, 203) : peak) - 1) < 1e-5)
    #expect(abs(model.minimumSDRWhite / (isHDR ? min(peak, 100) : peak) - 1) < 1e-5)
    #expect(model.supportsReferenceMode == (isHDR && peak >= 150))
    let transfers: DisplayTransfer =
      eotfs.contains("pq") ? .pq : entry["srgb"] == "yes" ? .sRGB : .gamma(entry.numbers("gamma").first ?? 2.2)
    #expect(model.transfer == transfers)
    #expect(model.bitDepth == Int(entry["id_bits"] ?? entry["bits"] ?? (isHDR ? "10" : "8")))
    let black = ["id_min", "min"].compactMap { entry.numbers($0).first }.min() ?? 0
    #expect(abs(model.black - black) < 1e-3)
  }

  private static func words(of edid: EDID) -> [(String, String?)] {
    [
      ("manufacturer", edid.manufacturer), ("product", "\(edid.product)"), ("serial", text(edid.serialNumber)),
      ("name", edid.name), ("year", "\(edid.year)"), ("week", text(edid.week)), ("version", text(edid.version)),
      ("digital", yes(edid.isDigital)), ("bits", text(edid.bitsPerColor)), ("srgb", yes(edid.isSRGB)),
      ("interlaced", yes(edid.preferredMode?.isInterlaced)),
      ("eotfs", joined(transferFunctions, in: edid.hdr?.transferFunctions ?? [])),
      ("metadata", edid.hdr?.metadataTypes.contains(.type1) == true ? "1" : nil),
      ("colorimetry", joined(colorimetry, in: edid.colorimetry)), ("hdr10plus", yes(edid.supportsHDR10Plus)),
      ("dolby", yes(edid.supportsDolbyVision)), ("id_version", text(edid.displayID?.version)),
      ("id_bits", text(edid.displayID?.bitsPerColor)),
      ("id_meaning", edid.displayID?.luminanceMeaning.map { $0 == .guaranteed ? "Minimum" : "Guidance" }),
      ("problems", edid.problems.isEmpty ? nil : Set(edid.problems.map(name)).sorted().joined(separator: "|")),
    ]
  }

  /// Columns with the error of their rounding; edid-decode cuts chromaticities of the base block to four digits.
  private static func numbers(of edid: EDID) -> [(String, [Double], tolerance: Double)] {
    let panel = edid.displayID
    let isSecond = panel?.version.major == 2
    return [
      ("size", size(edid.size, unit: 1), 0), ("gamma", list(edid.gamma), 1e-9),
      ("chromaticities", points(edid.chromaticities), 1.01e-4),
      ("mode", edid.preferredMode.map { [Double($0.width), Double($0.height), $0.refreshRate] } ?? [], 1e-6),
      ("max", list(edid.hdr?.maxLuminance), 6e-4), ("average", list(edid.hdr?.maxFrameAverageLuminance), 6e-4),
      ("min", list(edid.hdr?.minLuminance), 6e-4), ("id_size", size(panel?.size, unit: 10), 1e-9),
      ("id_pixels", list(panel?.nativeWidth.map(Double.init)) + list(panel?.nativeHeight.map(Double.init)), 0),
      ("id_gamma", list(panel?.gamma), 1e-9),
      ("id_primaries", points(panel?.primaries), isSecond ? 6e-7 : 6e-5),
      ("id_full", list(panel?.maxFullScreenLuminance), 6e-7), ("id_max", list(panel?.maxLuminance), 6e-7),
      ("id_min", list(panel?.minLuminance), 6e-7),
    ]
  }

  private static func text<Value>(_ value: Value?) -> String? { value.map { "\($0)" } }

  private static func text(_ version: EDID.Version?) -> String? { version.map { "\($0.major).\($0.minor)" } }

  private static func yes(_ value: Bool?) -> String? { value == true ? "yes" : nil }

  private static func list(_ value: Double?) -> [Double] { value.map { [$0] } ?? [] }

  private static func size(_ size: EDID.ScreenSize?, unit: Double) -> [Double] {
    size.map { [$0.width * unit, $0.height * unit] } ?? []
  }

  private static func points(_ space: RGBSpace?) -> [Double] {
    space.map { [$0.red, $0.green, $0.blue, $0.white].flatMap { [$0.x, $0.y] } } ?? []
  }

  private static func joined<Options: OptionSet>(_ names: [(String, Options)], in options: Options) -> String?
  where Options.Element == Options {
    let found = names.filter { options.contains($0.1) }.map(\.0)
    return found.isEmpty ? nil : found.joined(separator: "|")
  }

  private static let transferFunctions: [(String, HDRStaticMetadata.TransferFunctions)] = [
    ("sdr", .traditionalSDR), ("hdr", .traditionalHDR), ("pq", .pq), ("hlg", .hlg),
  ]

  private static let colorimetry: [(String, Colorimetry)] = [
    ("xvYCC601", .xvYCC601), ("xvYCC709", .xvYCC709), ("sYCC601", .sYCC601), ("opYCC601", .opYCC601),
    ("opRGB", .opRGB), ("BT2020cYCC", .bt2020cYCC), ("BT2020YCC", .bt2020YCC), ("BT2020RGB", .bt2020RGB),
    ("Default", .defaultRGB), ("sRGB", .sRGB), ("ICtCp", .iCtCp), ("ST2113RGB", .dciP3),
  ]

  /// The name of the case, which is how it is coded.
  private static func name(_ problem: EDID.Problem) -> String {
    let object = (try? JSONEncoder().encode(problem)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    return (object as? [String: Any])?.keys.first ?? "none"
  }

  private static func name(_ error: EDIDError) -> String {
    switch error {
    case .tooShort: "tooShort"
    case .noHeader: "noHeader"
    case .wrongChecksum: "wrongChecksum"
    case .unsupportedVersion: "unsupportedVersion"
    }
  }
}
