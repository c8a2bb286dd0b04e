internal import ColorScience
public import Displays
internal import Foundation

/// Capabilities and current state of displays.
public struct DisplayReport: Sendable {
  /// A display of the report.
  public struct Entry: Sendable {
    /// Source of the display's data.
    public let source: DisplaySource
    /// Its status; nil if unknown.
    public private(set) var status: DisplayStatus?
    /// Its EDID, if it has one.
    public private(set) var edid: EDID?
    /// Name of its backlight.
    public private(set) var backlight: String?
    /// Number of its I2C bus.
    public private(set) var i2cBus: Int32?
    /// Why it cannot be read.
    public private(set) var fault: DisplayError?

    /// The current state of a display.
    public init(_ source: DisplaySource) {
      self.source = source
      do throws(DisplayError) {
        guard let connected = source.connected else {
          (edid, status) = (source.fileEDID, try source.status())
          return
        }
        (backlight, i2cBus) = (connected.backlight?.name, connected.i2cBus)
        edid = try? connected.edid.get()
        status = try connected.status()
      } catch {
        fault = error
      }
    }

    /// A preset.
    public init(_ preset: DisplayModel) { self.init(.preset(preset)) }

    /// Returns the connected displays.
    /// - Parameters:
    ///   - root: A folder laid out like `/sys`.
    ///   - known: Connectors to leave out.
    public static func connected(root: String, but known: Set<String> = []) -> [Entry] {
      ConnectedDisplay.connected(root).filter { !known.contains($0) }
        .map { Entry(.connector($0, root: root, store: .standard)) }
    }

    /// Returns the same display with a new status.
    public func showing(_ status: DisplayStatus) -> Entry {
      var entry = self
      (entry.status, entry.fault) = (status, nil)
      return entry
    }

    /// Returns the same display after it has become unreadable.
    public func failing(_ fault: DisplayError) -> Entry {
      var entry = self
      (entry.status, entry.fault) = (nil, fault)
      return entry
    }

    /// Name of the connector, the file, or the preset.
    public var name: String {
      switch source {
      case .preset(let model): model.name
      case .connector(let name, _, _): name
      case .file(let path): path
      }
    }
  }

  /// The reported displays.
  public var entries: [Entry]

  /// A report on these displays.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// One paragraph per display.
  public var text: String { entries.map(\.text).joined(separator: "\n") }

  /// Returns an object with an array of displays.
  /// - Throws: An error if it cannot be encoded.
  public func json() throws -> String { try JSON.text(["displays": entries.map(\.fields)]) }

  /// Returns the same object on one line.
  /// - Throws: An error if it cannot be encoded.
  public func line() throws -> String { try JSON.line([("displays", entries.map(\.fields))]) }
}

extension DisplayReport.Entry {
  var text: String {
    var lines = [name]
    if let own = status?.model.name, own != name { lines[0] += ": \(own)" }
    func line(_ name: String, _ value: String) {
      lines.append("  " + name.padding(toLength: 20, withPad: " ", startingAt: 0) + value)
    }
    guard let status else {
      line("fault", fault?.description ?? "unknown")
      return lines.joined(separator: "\n") + "\n"
    }
    let model = status.model
    let assumed = model.isPeakAssumed ? " (assumed: the display states none)" : ""
    line("peak", "\(number(model.peak)) cd/m²\(assumed), black \(number(model.black))")
    let share = status.brightness.map { ", brightness \(number($0 * 100)) %" } ?? ""
    line("SDR white", "\(number(status.sdrWhite)) cd/m²\(share)")
    line(
      "headroom",
      "\(number(status.currentHeadroom)) now, \(number(status.potentialHeadroom)) potential, reference "
        + (status.referenceHeadroom > 0 ? number(status.referenceHeadroom) : "none"))
    line("reference mode", status.referenceMode.words)
    line("gamut", "\(gamut(model.primaries)), \(model.transfer.name), \(model.bitDepth) bits")
    if let edid { describe(edid, line) }
    if let backlight { line("backlight", backlight) }
    if backlight == nil, status.brightness != nil, let i2cBus { line("brightness", "by DDC/CI, i2c-\(i2cBus)") }
    if let white = model.whitePoint {
      line(
        "white point",
        "measured \(point(white.measured.chromaticity)), target \(point(white.target.chromaticity)), gains "
          + (gains ?? []).map(number).joined(separator: " "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func describe(_ edid: EDID, _ line: (String, String) -> Void) {
    let size = edid.preferredMode.map { ", \($0.width)x\($0.height) at \(number($0.refreshRate)) Hz" } ?? ""
    line("EDID", "\(edid.manufacturer) \(String(format: "%04x", edid.product)), \(edid.year)\(size)")
    if let hdr = edid.hdr { line("HDR", hdr.transferFunctions.names.joined(separator: ", ")) }
    for problem in edid.problems { line("EDID problem", "\(problem)") }
  }

  var fields: [String: Any] {
    let model = status?.model
    return JSON.fields([
      ("source", name), ("name", model?.name), ("fault", fault?.description), ("peak_nits", model?.peak),
      ("peak_is_assumed", model?.isPeakAssumed),
      ("black_nits", model?.black), ("sdr_white_nits", status?.sdrWhite), ("brightness", status?.brightness),
      ("current_headroom", status?.currentHeadroom), ("potential_headroom", status?.potentialHeadroom),
      ("reference_headroom", status?.referenceHeadroom), ("reference_mode", status?.referenceMode.rawValue),
      ("format", model?.format?.rawValue), ("primaries", model.map { coordinates($0.primaries) }),
      ("transfer", model?.transfer.name), ("bit_depth", model?.bitDepth), ("backlight", backlight),
      ("i2c_bus", i2cBus),
      ("white_point_gains", gains), ("edid", edid.map(fields)),
    ])
  }

  private var gains: [Double]? {
    guard let model = status?.model, let gains = model.whitePoint?.gains(model.primaries) else { return nil }
    return [gains.x, gains.y, gains.z]
  }

  private func fields(_ edid: EDID) -> [String: Any] {
    JSON.fields([
      ("manufacturer", edid.manufacturer), ("product", Int(edid.product)), ("year", edid.year),
      ("version", "\(edid.version.major).\(edid.version.minor)"), ("gamma", edid.gamma),
      ("eotfs", edid.hdr?.transferFunctions.names), ("max_luminance_nits", edid.hdr?.maxLuminance),
      ("max_frame_average_nits", edid.hdr?.maxFrameAverageLuminance), ("min_luminance_nits", edid.hdr?.minLuminance),
      ("hdr10plus", edid.supportsHDR10Plus), ("dolby_vision", edid.supportsDolbyVision),
      ("width", edid.preferredMode?.width), ("height", edid.preferredMode?.height),
      ("refresh_hz", edid.preferredMode?.refreshRate), ("problems", edid.problems.map(\.description)),
    ])
  }

  private func coordinates(_ space: RGBSpace) -> [String: [Double]] {
    let points = [("red", space.red), ("green", space.green), ("blue", space.blue), ("white", space.white)]
    return Dictionary(uniqueKeysWithValues: points.map { ($0.0, [$0.1.x, $0.1.y]) })
  }

  private func gamut(_ space: RGBSpace) -> String {
    if let known = ColorPrimaries(space) { return "\(known)" }
    return "R\(point(space.red)) G\(point(space.green)) B\(point(space.blue)) W\(point(space.white))"
  }

  private func point(_ point: Chromaticity) -> String { String(format: "(%.4f, %.4f)", point.x, point.y) }

  private func number(_ value: Double) -> String { String(format: "%.4g", value) }
}

extension ReferenceMode.Status {
  /// Wording for a sentence.
  var words: String {
    switch self {
    case .enabled: "enabled"
    case .limited: "limited"
    case .notEnabled: "not enabled"
    case .notSupported: "not supported"
    }
  }
}

extension HDRStaticMetadata.TransferFunctions {
  /// Names as in CTA-861.
  var names: [String] {
    [(Self.traditionalSDR, "SDR gamma"), (.traditionalHDR, "HDR gamma"), (.pq, "PQ"), (.hlg, "HLG")]
      .filter { contains($0.0) }.map(\.1)
  }
}
