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
}

extension CaptureMode {
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
