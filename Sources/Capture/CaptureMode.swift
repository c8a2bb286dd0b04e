internal import ColorScience
public import Frames

/// A pixel format with a size and a frame rate.
public struct CaptureMode: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The pixel format.
  public var format: CaptureFormat
  /// Picture size in pixels.
  public var size: Size
  /// Frames per second; nil: not reported by the device.
  public var rate: Rational?

  /// Creates a mode of a device.
  public init(_ format: CaptureFormat, _ size: Size, rate: Rational?) {
    (self.format, self.size, self.rate) = (format, size, rate)
  }

  /// Maximum bytes per frame: 8K, the largest BT.2020 picture, takes 127 MiB at 32 bits per pixel, and a dozen frames
  /// are held.
  package static let maximumBytes = 160 << 20

  /// Bytes per frame; for a coded format, of the decoded frame as 8-bit 4:2:2, which most decoders output.
  package var byteCount: Int {
    let layout = format.layout ?? PixelLayout(.ycbcr422, bitDepth: 8)
    let color = ColorDescription(primaries: .unspecified, transfer: .unspecified, matrix: .unspecified)
    return PixelFormat(size: size, layout: layout, color: color).byteCount
  }

  /// "P010 1920x1080 at 60".
  public var description: String {
    let rate = rate.map { " at \(($0.value * 1000).rounded() / 1000)" } ?? ""
    return "\(format.code.text) \(size.width)x\(size.height)\(rate)"
  }

  /// The number of modes that fit in a sentence; the rows, formats, sizes and rates that fit in a table.
  private static let (shortList, rowCount, formatCount, sizeCount, rateCount) = (8, 8, 8, 10, 6)

  /// The modes as the end of a sentence: " A, B.", or as a table if there are many. Formats with the same sizes and
  /// rates share a row.
  static func table(of modes: [CaptureMode]) -> String {
    if modes.count <= shortList { return " " + modes.map(\.description).joined(separator: ", ") + "." }
    var rows: [(formats: [String], sizes: [String])] = []
    for format in modes.map(\.format.code.text).unique {
      let own = modes.filter { $0.format.code.text == format }
      let sizes = own.map(\.size).unique.map { size in
        let rates = own.filter { $0.size == size }.compactMap {
          $0.rate.map { "\(($0.value * 1000).rounded() / 1000)" }
        }
        return "\(size)" + (rates.isEmpty ? "" : " at \(rates.shortened(to: rateCount, separator: "/"))")
      }
      if let row = rows.firstIndex(where: { $0.sizes == sizes }) {
        rows[row].formats.append(format)
      } else {
        rows.append(([format], sizes))
      }
    }
    let lines = rows.map { row in
      "\(row.formats.shortened(to: formatCount, separator: ", ")): \(row.sizes.shortened(to: sizeCount, separator: ", "))"
    }
    return ":\n  " + lines.shortened(to: rowCount, separator: "\n  ")
  }
}

extension [String] {
  /// The first `count` elements, and the number of remaining ones.
  fileprivate func shortened(to count: Int, separator: String) -> String {
    let more = self.count - count
    return prefix(count).joined(separator: separator) + (more > 0 ? "\(separator)... (\(more) more)" : "")
  }
}

extension Array where Element: Hashable {
  /// The elements without duplicates, in order of first occurrence.
  fileprivate var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// The mode to set a device to, and the reason for choosing it.
///
/// The default is the widest mode at full rate: at the device's current size, among the formats that reach its highest
/// rate, the one with the most bits, then the widest gamut, then the most chroma. Coded formats come last. An input
/// without digital video timings that accepts any size, such as analogue television, keeps its current format.
public struct ModeChoice: Sendable, Hashable {
  /// The user's request; nil values are left to the device.
  public struct Request: Sendable, Hashable, Codable {
    /// The pixel format.
    public var format: FourCC?
    /// Picture size in pixels.
    public var size: Size?
    /// Frames per second.
    public var rate: Rational?

    /// Requests the widest mode at full rate.
    public init() {}

    /// The requested values, such as "NV12 1280x720 at 30".
    var text: String {
      [
        format?.text, size.map { "\($0.width)x\($0.height)" }, rate.map { "at \(($0.value * 1000).rounded() / 1000)" },
      ].compactMap(\.self).joined(separator: " ")
    }
  }

  /// The reason for choosing a mode.
  public enum Reason: Sendable, Hashable, Codable {
    /// The user requested it.
    case asked
    /// The device is already set to its format and size: for television or analogue inputs no other is better.
    case kept
    /// It is the widest mode at full rate.
    case widest
  }

  /// The mode.
  public let mode: CaptureMode
  /// The reason for choosing it.
  public internal(set) var reason: Reason
  /// Modes of the same size and rate that are narrower.
  public let narrower: [CaptureMode]
  /// Modes of the same size that are wider but slower.
  public let slower: [CaptureMode]

  /// Maximum difference between rates that count as equal: 59.94 and 60 do not.
  private static let tolerance = 0.0005

  /// - Parameter gamut: Returns the primaries that the driver states for a mode.
  /// - Returns: nil if no mode matches.
  init?(
    _ request: Request, among modes: [CaptureMode], current: Size,
    gamut: (CaptureMode) -> ColorPrimaries = { _ in .bt709 }
  ) {
    func isRequested(_ mode: CaptureMode) -> Bool {
      (request.format == nil || mode.format.code == request.format)
        && (request.size == nil || mode.size == request.size)
        && (request.rate.map { Self.isSame(mode.rate, $0) } ?? true)
    }
    let requested = modes.filter(isRequested)
    // The size of the signal, otherwise the largest size within the memory limit.
    let area = { (mode: CaptureMode) in mode.size.width * mode.size.height }
    let affordable = requested.filter { $0.byteCount <= CaptureMode.maximumBytes }
    let largest = (affordable.isEmpty ? requested : affordable).max { area($0) < area($1) }
    guard let size = requested.first(where: { $0.size == current })?.size ?? largest?.size else { return nil }
    let fitting = requested.filter { $0.size == size }
    let fastest = fitting.compactMap { $0.rate?.value }.max() ?? 0
    func isFast(_ mode: CaptureMode) -> Bool { (mode.rate?.value ?? 0) >= fastest * (1 - Self.tolerance) }
    func width(_ mode: CaptureMode) -> (fidelity: Int, bits: Int, gamut: Int, chroma: Int) {
      let format = mode.format
      return (format.coding == nil ? 1 : 0, format.bitDepth, gamut(mode) == .bt2020 ? 1 : 0, format.chroma)
    }
    let ranked = fitting.filter(isFast).enumerated().sorted { first, second in
      let (a, b) = (width(first.element), width(second.element))
      // On a tie, the mode that the driver lists first.
      return a == b ? first.offset < second.offset : a > b
    }.map(\.element)
    guard let best = ranked.first else { return nil }
    mode = best
    reason = request == Request() ? .widest : .asked
    narrower = Array(ranked.dropFirst())
    slower = fitting.filter { !isFast($0) && width($0) > width(best) }
  }

  private static func isSame(_ rate: Rational?, _ requested: Rational) -> Bool {
    rate.map { abs($0.value / requested.value - 1) < tolerance } ?? false
  }
}
