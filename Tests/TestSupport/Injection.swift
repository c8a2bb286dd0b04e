internal import Foundation

/// Puts messages into coded video, in front of each picture: bytes that no encoder of ours writes.
public enum Injection {
  /// Raw streams that messages can be put into.
  public enum Codec: String, Sendable, CaseIterable {
    case hevc, h264, av1
  }

  /// - Parameters:
  ///   - messages: One for each picture in order of the stream, from the T.35 country code on; nil for none.
  ///   - path: A raw stream: start codes, or OBUs with sizes.
  ///   - type: Payload type of the SEI messages: 4 is T.35.
  public static func inject(_ messages: [[UInt8]?], into path: String, _ codec: Codec, type: UInt8 = 4) throws {
    let url = URL(fileURLWithPath: path)
    let bytes = [UInt8](try Data(contentsOf: url))
    let result = codec == .av1 ? obus(bytes, messages) : units(bytes, messages, codec, type)
    try Data(result).write(to: url)
  }

  private static func units(_ bytes: [UInt8], _ messages: [[UInt8]?], _ codec: Codec, _ type: UInt8) -> [UInt8] {
    var result: [UInt8] = []
    var picture = 0
    var index = 0
    while index < bytes.count {
      if index + 5 < bytes.count, bytes[index..<index + 3].elementsEqual([0, 0, 1]) {
        let header = bytes[index + 3]
        let isSlice = codec == .hevc ? header >> 1 & 0x3F < 32 : (1...5).contains(header & 0x1F)
        // The flag of a picture's first slice; for H.264, first_mb_in_slice of 0 is a bit of 1.
        let isFirst = bytes[index + (codec == .hevc ? 5 : 4)] & 0x80 != 0
        if isSlice, isFirst {
          if picture < messages.count, let message = messages[picture] { result += sei(message, codec, type) }
          picture += 1
        }
      }
      result.append(bytes[index])
      index += 1
    }
    return result
  }

  /// A NAL unit with one message.
  private static func sei(_ message: [UInt8], _ codec: Codec, _ type: UInt8) -> [UInt8] {
    var size: [UInt8] = Array(repeating: 255, count: message.count / 255)
    size.append(UInt8(message.count % 255))
    var escaped: [UInt8] = []
    var zeros = 0
    for byte in [type] + size + message + [0x80] {
      if zeros == 2, byte <= 3 {
        escaped.append(3)
        zeros = 0
      }
      escaped.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return [0, 0, 0, 1] + (codec == .hevc ? [39 << 1, 1] : [6]) + escaped
  }

  /// Messages after the delimiter and sequence header of each temporal unit.
  private static func obus(_ bytes: [UInt8], _ messages: [[UInt8]?]) -> [UInt8] {
    var result: [UInt8] = []
    var unit = -1
    var isDone = false
    var index = 0
    while index < bytes.count {
      let start = index
      let type = bytes[index] >> 3 & 0xF
      index += bytes[index] & 4 == 0 ? 1 : 2
      var size = 0
      var shift = 0
      repeat {
        size |= Int(bytes[index] & 0x7F) << shift
        shift += 7
        index += 1
      } while bytes[index - 1] & 0x80 != 0
      index += size
      if type == 2 { (unit, isDone) = (unit + 1, false) }
      if [3, 6].contains(type), !isDone {
        isDone = true
        if unit < messages.count, let message = messages[unit] {
          let content = [4] + message + [0x80]
          result +=
            [5 << 3 | 2]
            + (content.count < 128
              ? [UInt8(content.count)] : [UInt8(content.count & 127) | 128, UInt8(content.count >> 7)])
          result += content
        }
      }
      result += bytes[start..<index]
    }
    return result
  }
}

/// Unsigned integers of any width in bytes, most significant bit first, filled up with zeros.
public struct BitWriter {
  private var bits: [UInt8] = []

  public init() {}

  public mutating func put(_ value: Int, _ width: Int) {
    for bit in (0..<width).reversed() { bits.append(UInt8(value >> bit & 1)) }
  }

  public var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
    }
  }
}
