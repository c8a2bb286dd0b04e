internal import Foundation

/// Two pictures of a scene of coloured patches, without the flash and with it, as 16-bit sRGB in PPM.
public struct FlashPair {
  /// Columns and rows.
  public var (width, height) = (96, 64)
  /// Light of the room by component, 1 being what makes white of a white patch.
  public var room: SIMD3<Double> = SIMD3(0.25, 0.15, 0.08)
  /// Light of the flash.
  public var flash: SIMD3<Double> = SIMD3(repeating: 0.6)
  /// Pixels per patch, across and down.
  public var side = 16

  public init() {}

  /// What a patch reflects.
  public func reflectance(column: Int, row: Int) -> SIMD3<Double> {
    let number = Double(7 * (column / side) + 3 * (row / side))
    return SIMD3(
      0.1 + 0.08 * number.remainder(dividingBy: 10).magnitude,
      0.15 + 0.05 * (number / 3).truncatingRemainder(dividingBy: 9), 0.5)
  }

  /// Writes the picture without the flash.
  public func writeAmbient(_ path: String) throws { try write(path, room) }

  /// Writes the picture with the flash.
  public func writeFlash(_ path: String) throws { try write(path, room + flash) }

  private func write(_ path: String, _ light: SIMD3<Double>) throws {
    var data = Data("P6\n\(width) \(height)\n65535\n".utf8)
    data.reserveCapacity(data.count + 6 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let color = reflectance(column: x, row: y) * light
        for channel in 0..<3 {
          let code = UInt16((Self.signal(min(max(color[channel], 0), 1)) * 65_535).rounded())
          data.append(contentsOf: [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)])
        }
      }
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// IEC 61966-2-1.
  public static func signal(_ light: Double) -> Double {
    light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}

extension Scratch {
  /// The two pictures of a pair.
  public func flashPair(_ pair: FlashPair = FlashPair()) throws -> (ambient: String, flash: String) {
    let paths = (path("ambient.ppm"), path("flash.ppm"))
    try pair.writeAmbient(paths.0)
    try pair.writeFlash(paths.1)
    return paths
  }
}
