import Foundation

/// OpenEXR files without compression, written by the words of the file layout: of any types, windows and parts.
struct EXRBuilder {
  struct Channel {
    enum Samples {
      case uint([UInt32])
      case half([UInt16])
      case float([Float])
    }
    let name: String
    /// Row by row over the data window.
    let samples: Samples
    var sampling: Int32 = 1
  }

  struct Part {
    var channels: [Channel]
    var data: [Int32]
    var display: [Int32]
    /// Edge of square tiles; nil: scan lines.
    var tile: Int?
    var chromaticities: [Float]?
    var whiteLuminance: Float?
    var type = "scanlineimage"

    init(_ channels: [Channel], data: [Int32], display: [Int32]? = nil, tile: Int? = nil) {
      self.channels = channels.sorted { $0.name < $1.name }
      self.data = data
      self.display = display ?? data
      self.tile = tile
      if tile != nil { type = "tiledimage" }
    }
  }

  var parts: [Part]

  func data() -> Data {
    let isMultiPart = parts.count > 1 || parts[0].type.hasPrefix("deep")
    var file = bytes(UInt32(20_000_630))
    var version: UInt32 = 2
    if isMultiPart { version |= 0x1000 }
    if !isMultiPart, parts[0].tile != nil { version |= 0x200 }
    if parts[0].type.hasPrefix("deep") { version |= 0x800 }
    file += bytes(version)
    let chunks = parts.indices.map { self.chunks(of: parts[$0], number: isMultiPart ? $0 : nil) }
    for (index, part) in parts.enumerated() {
      file += header(part, name: isMultiPart ? "part\(index)" : nil, chunkCount: chunks[index].count)
    }
    if isMultiPart { file.append(0) }
    var offset = file.count + 8 * chunks.reduce(0) { $0 + $1.count }
    for chunk in chunks.joined() {
      file += bytes(UInt64(offset))
      offset += chunk.count
    }
    return Data(file + chunks.joined().joined())
  }

  private func header(_ part: Part, name: String?, chunkCount: Int) -> [UInt8] {
    func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [0] + Array(type.utf8) + [0] + bytes(UInt32(value.count)) + value
    }
    var list: [UInt8] = []
    for channel in part.channels {
      let type: UInt32 =
        switch channel.samples {
        case .uint: 0
        case .half: 1
        case .float: 2
        }
      list += Array(channel.name.utf8) + [0] + bytes(type) + [0, 0, 0, 0]
      list += bytes(channel.sampling) + bytes(channel.sampling)
    }
    var result = attribute("channels", "chlist", list + [0])
    result += attribute("compression", "compression", [0])
    result += attribute("dataWindow", "box2i", part.data.flatMap { bytes($0) })
    result += attribute("displayWindow", "box2i", part.display.flatMap { bytes($0) })
    result += attribute("lineOrder", "lineOrder", [0])
    result += attribute("pixelAspectRatio", "float", bytes(Float(1).bitPattern))
    result += attribute("screenWindowCenter", "v2f", bytes(UInt64(0)))
    result += attribute("screenWindowWidth", "float", bytes(Float(1).bitPattern))
    if let tile = part.tile {
      result += attribute("tiles", "tiledesc", bytes(UInt32(tile)) + bytes(UInt32(tile)) + [0])
    }
    if let values = part.chromaticities {
      result += attribute("chromaticities", "chromaticities", values.flatMap { bytes($0.bitPattern) })
    }
    if let white = part.whiteLuminance { result += attribute("whiteLuminance", "float", bytes(white.bitPattern)) }
    if let name {
      result += attribute("name", "string", Array(name.utf8)) + attribute("type", "string", Array(part.type.utf8))
      result += attribute("chunkCount", "int", bytes(UInt32(chunkCount)))
    }
    if part.type.hasPrefix("deep") {
      result += attribute("maxSamplesPerPixel", "int", bytes(UInt32(1))) + attribute("version", "int", bytes(UInt32(1)))
    }
    return result + [0]
  }

  private func chunks(of part: Part, number: Int?) -> [[UInt8]] {
    let (width, height) = (Int(part.data[2] - part.data[0]) + 1, Int(part.data[3] - part.data[1]) + 1)
    let prefix = number.map { bytes(UInt32($0)) } ?? []
    func content(_ xs: Range<Int>, _ ys: Range<Int>) -> [UInt8] {
      ys.flatMap { y in
        part.channels.flatMap { channel in
          xs.flatMap { x in
            switch channel.samples {
            case .uint(let values): bytes(values[y * width + x])
            case .half(let values): bytes(values[y * width + x])
            case .float(let values): bytes(values[y * width + x].bitPattern)
            }
          }
        }
      }
    }
    guard let tile = part.tile else {
      return (0..<height).map { y in
        let rows = content(0..<width, y..<y + 1)
        return prefix + bytes(part.data[1] + Int32(y)) + bytes(UInt32(rows.count)) + rows
      }
    }
    return (0..<(height + tile - 1) / tile).flatMap { ty in
      (0..<(width + tile - 1) / tile).map { tx in
        let rows = content(
          tx * tile..<min((tx + 1) * tile, width), ty * tile..<min((ty + 1) * tile, height))
        let place = [UInt32(tx), UInt32(ty), 0, 0].flatMap { bytes($0) }
        return prefix + place + bytes(UInt32(rows.count)) + rows
      }
    }
  }
}

private func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
