internal import ColorScience
public import Frames

/// A format of a device with a size and a rate.
public struct CaptureMode: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The pixel format.
  public var format: CaptureFormat
  /// Pixels of the picture.
  public var size: Size
  /// Frames per second; nil: the device does not say.
  public var rate: Rational?

  /// A mode of a device.
  public init(_ format: CaptureFormat, _ size: Size, rate: Rational?) {
    (self.format, self.size, self.rate) = (format, size, rate)
  }

  /// Bytes of a frame that a mode may have: 8K, the largest picture of BT.2020, has 127 MiB at 32 bits a pixel. A dozen frames are held.
  package static let maximumBytes = 160 << 20

  /// Bytes of a frame; of a coded one as most decoders make it, in 8 bits with half of the chroma.
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
  /// Modes that fit in a sentence, and rows, formats, sizes and rates that fit in a table.
  private static let (shortList, rowCount, formatCount, sizeCount, rateCount) = (8, 8, 8, 10, 6)

  /// Modes as the end of a sentence: " A, B.", or many as a table. Formats with the same sizes and rates share a row.
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
  /// The first ones, and how many more there are.
  fileprivate func shortened(to count: Int, separator: String) -> String {
    let more = self.count - count
    return prefix(count).joined(separator: separator) + (more > 0 ? "\(separator)... (\(more) more)" : "")
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of the first ones.
  fileprivate var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
