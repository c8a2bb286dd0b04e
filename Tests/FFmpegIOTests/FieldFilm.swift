import Foundation

/// H.264 of field pictures, which no encoder at hand writes: each frame of 16 by 32 samples is two grey fields of one
/// uncompressed macroblock each.
struct FieldFilm {
  private var bits: [UInt8] = []

  /// An elementary stream.
  /// - Parameters:
  ///   - frames: At most 128.
  ///   - group: Frames from one key frame to the next.
  static func stream(frames: Int, group: Int) -> Data {
    var result = Data()
    for frame in 0..<frames {
      let place = frame % group
      for field in 0...1 {
        let isKey = place == 0 && field == 0
        result += unit(9) { $0.put(7, 3) }
        if isKey { result += unit(0x67, sequence) + unit(0x68, picture) }
        result += unit(isKey ? 0x65 : 0x61) { $0.slice(place, field, isKey, grey: 16 + frame + 64 * field) }
      }
    }
    return result
  }

  private static func unit(_ header: UInt8, _ write: (inout FieldFilm) -> Void) -> Data {
    var writer = FieldFilm()
    write(&writer)
    writer.put(1, 1)
    writer.align()
    var result = Data([0, 0, 0, 1, header])
    var zeros = 0
    for start in stride(from: 0, to: writer.bits.count, by: 8) {
      let byte = writer.bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      if zeros >= 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      result.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return result
  }

  /// Main profile, level 3, one macroblock wide and one high in each field.
  private static func sequence(_ writer: inout FieldFilm) {
    for value in [77, 0, 30] { writer.put(value, 8) }
    for value in [0, 0, 0, 4, 2] { writer.number(value) }
    writer.put(0, 1)
    for value in [0, 0] { writer.number(value) }
    // Field pictures allowed, without macroblock pairs; 50 fields a second.
    for bit in [0, 0, 1, 0, 1, 0, 0, 0, 0, 1] { writer.put(bit, 1) }
    writer.put(1, 32)
    writer.put(50, 32)
    for bit in [1, 0, 0, 0, 0] { writer.put(bit, 1) }
  }

  private static func picture(_ writer: inout FieldFilm) {
    for value in [0, 0] { writer.number(value) }
    writer.put(0, 2)
    for value in [0, 0, 0] { writer.number(value) }
    writer.put(0, 3)
    for value in [0, 0, 0] { writer.number(value) }
    writer.put(0, 3)
  }

  private mutating func slice(_ frame: Int, _ field: Int, _ isKey: Bool, grey: Int) {
    for value in [0, 7, 0] { number(value) }
    put(frame % 16, 4)
    put(1, 1)
    put(field, 1)
    if isKey { number(0) }
    put((2 * frame + field) % 256, 8)
    put(0, isKey ? 2 : 1)
    number(0)
    number(25)
    align()
    for _ in 0..<256 { put(grey, 8) }
    for _ in 0..<128 { put(128, 8) }
  }

  private mutating func put(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
  }

  /// An Exp-Golomb number.
  private mutating func number(_ value: Int) {
    let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
    put(0, length - 1)
    put(value + 1, length)
  }

  private mutating func align() { while bits.count % 8 != 0 { bits.append(0) } }
}
