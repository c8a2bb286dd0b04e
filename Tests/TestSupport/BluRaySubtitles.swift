public import Foundation

/// Subtitles of Blu-ray (PGS), as a `.sup` file: rectangles of one colour, because FFmpeg 5.1 has no encoder for them.
public struct BluRaySubtitles {
  /// A rectangle on the canvas.
  public struct Box {
    public var x, y, width, height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  private let width, height: Int
  private var bytes: [UInt8] = []
  private var number = 0

  /// A canvas in pixels.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  public var data: Data { Data(bytes) }

  /// Shows a box from a time in seconds on; nil clears the screen.
  /// - Parameter color: Y, Cr, Cb in limited range, and alpha.
  public mutating func show(_ box: Box?, at seconds: Double, color: [UInt8] = [235, 128, 128, 255]) {
    let ticks = UInt32((seconds * 90_000).rounded())
    let window = box ?? Box(x: 0, y: 0, width: 1, height: 1)
    var presentation = word(width) + word(height) + [0x10] + word(number) + [0x80, 0, 0, box == nil ? 0 : 1]
    if let box { presentation += word(0) + [0, 0] + word(box.x) + word(box.y) }
    segment(0x16, presentation, ticks)
    segment(0x17, [1, 0] + word(window.x) + word(window.y) + word(window.width) + word(window.height), ticks)
    if let box {
      segment(0x14, [0, 0, 1] + color, ticks)
      let object = word(box.width) + word(box.height) + rows(of: box)
      segment(0x15, word(0) + [0, 0xC0, UInt8(object.count >> 16)] + word(object.count & 0xFFFF) + object, ticks)
    }
    segment(0x80, [], ticks)
    number += 1
  }

  /// Runs of colour 1, at most 16383 pixels each.
  private func rows(of box: Box) -> [UInt8] {
    let row = [0, 0xC0 | UInt8(box.width >> 8), UInt8(box.width & 0xFF), 1, 0, 0]
    return (0..<box.height).flatMap { _ in row }
  }

  private mutating func segment(_ type: UInt8, _ content: [UInt8], _ ticks: UInt32) {
    bytes += Array("PG".utf8) + word(Int(ticks >> 16)) + word(Int(ticks & 0xFFFF)) + [0, 0, 0, 0, type]
    bytes += word(content.count) + content
  }

  private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
}
