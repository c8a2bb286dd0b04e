import Foundation

/// TIFF files without compression, big-endian, in strips or tiles, contiguous or planar.
struct TIFFBuilder {
  var width: Int
  var height: Int
  /// 1 and 3 are grey and colour; more are samples beyond them.
  var samplesPerPixel: Int
  var bits: Int
  /// Code of `SampleFormat`.
  var format = 1
  var photometric = 2
  var isPlanar = false
  /// Edge of square tiles, a multiple of 16; nil: strips of `rowsPerStrip` rows.
  var tile: Int?
  var rowsPerStrip = 3
  /// Fields of 16-bit numbers beyond those that follow from the above.
  var fields: [Int: [Int]] = [:]
  /// The bits of a sample: component, x, y.
  var sample: (Int, Int, Int) -> UInt32

  private func big<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func block(_ x: Int, _ y: Int, _ columns: Int, _ rows: Int, _ components: Range<Int>) -> [UInt8] {
    (y..<y + rows).flatMap { y in
      (x..<x + columns).flatMap { x in
        components.flatMap { component -> [UInt8] in
          // Tiles reach beyond the picture.
          let value = x < width && y < height ? sample(component, x, y) : 0xABCD_EF01
          return Array(big(value).suffix(bits / 8))
        }
      }
    }
  }

  private var blocks: [[UInt8]] {
    let groups = isPlanar ? (0..<samplesPerPixel).map { $0..<$0 + 1 } : [0..<samplesPerPixel]
    return groups.flatMap { components -> [[UInt8]] in
      guard let tile else {
        return stride(from: 0, to: height, by: rowsPerStrip).map { y in
          block(0, y, width, min(rowsPerStrip, height - y), components)
        }
      }
      return stride(from: 0, to: height, by: tile).flatMap { y in
        stride(from: 0, to: width, by: tile).map { x in block(x, y, tile, tile, components) }
      }
    }
  }

  func data() -> Data {
    var fields = fields
    fields[256] = [width]
    fields[257] = [height]
    fields[258] = Array(repeating: bits, count: samplesPerPixel)
    fields[259] = [1]
    fields[262] = [photometric]
    fields[277] = [samplesPerPixel]
    fields[284] = [isPlanar ? 2 : 1]
    fields[339] = Array(repeating: format, count: samplesPerPixel)
    if let tile {
      fields[322] = [tile]
      fields[323] = [tile]
    } else {
      fields[278] = [rowsPerStrip]
    }
    let blocks = blocks
    var offsets: [Int] = []
    var end = 8
    for block in blocks {
      offsets.append(end)
      end += block.count
    }
    let longs = [tile == nil ? 273 : 324: offsets, tile == nil ? 279 : 325: blocks.map(\.count)]
    var directory: [UInt8] = big(UInt16(fields.count + longs.count))
    var extra: [UInt8] = []
    let start = end + 2 + 12 * (fields.count + longs.count) + 4
    for (tag, isLong) in (fields.keys.map { ($0, false) } + longs.keys.map { ($0, true) }).sorted(by: { $0.0 < $1.0 }) {
      let values = isLong ? longs[tag] ?? [] : fields[tag] ?? []
      var bytes = values.flatMap { isLong ? big(UInt32($0)) : big(UInt16($0)) }
      directory += big(UInt16(tag)) + big(UInt16(isLong ? 4 : 3)) + big(UInt32(values.count))
      if bytes.count > 4 {
        directory += big(UInt32(start + extra.count))
        extra += bytes
      } else {
        bytes += Array(repeating: 0, count: 4 - bytes.count)
        directory += bytes
      }
    }
    return Data([0x4D, 0x4D, 0, 42] + big(UInt32(end)) + blocks.joined() + directory + [0, 0, 0, 0] + extra)
  }
}
