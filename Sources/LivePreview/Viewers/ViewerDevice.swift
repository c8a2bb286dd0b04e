package import Displays
package import Frames
internal import Sessions

/// Capabilities stated by a device that requests a stream or a still.
package struct ViewerDevice: Sendable, Hashable {
  /// Area in pixels for the picture; nil: the source's size.
  package private(set) var area: Size?
  /// Codecs that it decodes, in order of preference.
  package private(set) var codings: [StreamForm.Coding]
  /// The range that it shows.
  package private(set) var range: StreamForm.Transfer
  /// Its display.
  package private(set) var display: DisplayStatus
  /// The display was not chosen explicitly.
  private let isAutomatic: Bool
  /// SDR stills should look like SDR video, which browsers treat as sRGB.
  package let wantsSRGBTags: Bool
  /// The device states its codecs.
  private let statesCodecs: Bool

  /// Supported query items.
  package static let items: Set = [
    "width", "height", "codecs", "range", "gamut", "depth", "display", "peak", "white", "black", "tags",
  ]

  private static let sides = 16.0...8192
  private static let depths = 8.0...16

  /// - Parameters:
  ///   - query: Items and their values.
  ///   - isReference: Reference mode is on for the preview's display: a display not chosen explicitly follows it.
  package init(_ query: [String: String], isReference: Bool) throws(ClientError) {
    if let unknown = query.keys.filter({ !Self.items.contains($0) }).min() {
      throw ClientError(
        description: "There is no item '\(unknown)': use \(Self.items.sorted().joined(separator: ", ")).")
    }
    let width = try Self.number("width", query, in: Self.sides)
    let height = try Self.number("height", query, in: Self.sides)
    guard (width == nil) == (height == nil) else {
      throw ClientError(description: "Width and height belong together: give both, or neither.")
    }
    area = width.flatMap { width in height.map { Size(width: Int(width), height: Int($0)) } }
    codings = try (query["codecs"] ?? "h264").split(separator: ",").map { name throws(ClientError) in
      try Self.choice("codecs", String(name))
    }
    range = try Self.choice("range", query["range"] ?? "sdr")
    if codings.isEmpty { throw ClientError(description: "'codecs' is empty: name what is decoded, such as h264.") }
    statesCodecs = query["codecs"] != nil
    let tags: StillTags = try Self.choice("tags", query["tags"] ?? "own")
    wantsSRGBTags = tags == .srgb
    isAutomatic = query["display"] ?? "auto" == "auto"
    display = try Self.display(query, range, isReference: isReference)
  }

  private enum StillTags: String, CaseIterable {
    case own, srgb
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ item: String, _ name: String
  ) throws(ClientError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: name) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw ClientError(description: "'\(item)' takes \(names), not '\(name)'.")
    }
    return choice
  }

  private static func number(
    _ item: String, _ query: [String: String], in range: ClosedRange<Double>, default value: Double? = nil
  ) throws(ClientError) -> Double? {
    guard let text = query[item] else { return value }
    guard let number = Double(text), range.contains(number) else {
      throw ClientError(
        description: "'\(item)' takes \(range.lowerBound.words) to \(range.upperBound.words), not '\(text)'.")
    }
    return number
  }

  private static func display(
    _ query: [String: String], _ range: StreamForm.Transfer, isReference: Bool
  ) throws(ClientError) -> DisplayStatus {
    let gamut: BrowserScreen.Gamut? = try query["gamut"].map { name throws(ClientError) in try choice("gamut", name) }
    let depth = try number("depth", query, in: depths) ?? (range == .sdr ? 8 : 10)
    let name = query["display"] ?? "auto"
    if name != "measured", let item = ["peak", "white", "black"].first(where: { query[$0] != nil }) {
      throw ClientError(description: "'\(item)' is for a measured display: add display=measured.")
    }
    var model = DisplayModel(BrowserScreen(isHDR: range != .sdr, gamut: gamut, bitDepth: Int(depth)))
    switch name {
    case "auto": break
    case "measured": model = try measured(query, like: model)
    default:
      guard let preset = DisplayModel.preset(named: name) else {
        let names = (["auto", "measured"] + DisplayModel.presets.map(\.name)).joined(separator: ", ")
        throw ClientError(description: "There is no display '\(name)': use \(names).")
      }
      return DisplayStatus(preset)
    }
    model.isReferenceModeEnabled = isReference
    return DisplayStatus(model)
  }

  private static func measured(
    _ query: [String: String], like screen: DisplayModel
  ) throws(ClientError) -> DisplayModel {
    let white = try number("white", query, in: 1...10_000, default: ReferenceMode.sdrWhite) ?? ReferenceMode.sdrWhite
    let peak = try number("peak", query, in: 1...10_000, default: max(screen.peak, white)) ?? white
    let black = try number("black", query, in: 0...10, default: 0) ?? 0
    guard peak >= white else {
      throw ClientError(description: "The peak, \(peak.words) cd/m², is below white, \(white.words) cd/m².")
    }
    guard black <= peak / 2 else { throw ClientError(description: "'black' takes 0 to \((peak / 2).words) cd/m².") }
    var model = DisplayModel(
      "measured screen", peak: peak, sdrWhite: white, primaries: screen.primaries, transfer: screen.transfer)
    (model.black, model.bitDepth) = (black, screen.bitDepth)
    return model
  }

  /// The form that it gets if it is the only viewer.
  package var form: StreamForm {
    let isHDR = range != .sdr
    let suited = codings.first { ($0.bitDepth == 10) == isHDR }
    // PQ with 8 bits would show banding: without 10 bits, it is SDR.
    guard isHDR, suited == nil else { return StreamForm(suited ?? codings[0], range, area: area, on: display) }
    let sdr = isAutomatic ? DisplayStatus(DisplayModel(BrowserScreen(isHDR: false))) : display
    return StreamForm(codings[0], .sdr, area: area, on: sdr)
  }

  /// The form of its stills: like its stream, or in its range if it states no codecs.
  package var stillForm: StreamForm {
    statesCodecs ? form : StreamForm(codings[0], range, area: area, on: display)
  }

  /// Returns whether it can show a stream, whatever device that was made for.
  package func shows(_ form: StreamForm) -> Bool {
    codings.contains(form.coding) && (form.transfer == .sdr || form.transfer == range)
  }
}
