internal import ColorScience
internal import Compositing
package import Frames

extension CodedFrame {
  /// The same planar R'G'B' with more bits per sample.
  /// - Parameter bitDepth: At most 16, and at least the current depth.
  package func deepened(to bitDepth: Int) -> CodedFrame {
    precondition(layout.components == .rgb && layout.packing == .planar && layout.samples == .integer)
    if bitDepth == layout.bitDepth { return self }
    let result = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: bitDepth), color: color, time: time)
    let (maximum, own) = ((1 << bitDepth) - 1, (1 << layout.bitDepth) - 1)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          result.setSample((sample(plane: plane, x: x, y: y) * maximum + own / 2) / own, plane: plane, x: x, y: y)
        }
      }
    }
    return result
  }

  /// Converts linear light in place; only before the frame is handed on.
  ///
  /// Values are clipped only to the range of half floats.
  /// - Parameter matrix: From R, G, B to R, G, B.
  func convert(by matrix: Matrix3) {
    precondition(layout == .linearRGB)
    for y in 0..<size.height {
      unsafe withHalfRow(0, y) { greens in
        unsafe withHalfRow(1, y) { blues in
          unsafe withHalfRow(2, y) { reds in
            for x in 0..<size.width {
              func value(_ row: UnsafeMutableBufferPointer<UInt16>) -> Double {
                Double(Float16(bitPattern: unsafe row[x]))
              }
              let light = unsafe matrix * SIMD3(value(reds), value(greens), value(blues))
              unsafe reds[x] = HalfSample.bits(Float(light.x))
              unsafe greens[x] = HalfSample.bits(Float(light.y))
              unsafe blues[x] = HalfSample.bits(Float(light.z))
            }
          }
        }
      }
    }
  }

  /// Divides half floats by alpha, where it is above 0, in place; only before the frame is handed on.
  func divide(by alpha: AlphaPlane) {
    precondition(layout == .linearRGB && alpha.size == size)
    for plane in 0..<3 {
      for y in 0..<size.height {
        unsafe withHalfRow(plane, y) { row in
          for x in 0..<size.width where alpha[x, y] > 0 && alpha[x, y] < 1 {
            unsafe row[x] = HalfSample.bits(Float(Float16(bitPattern: row[x])) / alpha[x, y])
          }
        }
      }
    }
  }

  /// Converts half floats from a signal to linear light, in place; only before the frame is handed on.
  func linearize(by curve: SignalCurve) {
    precondition(layout == .linearRGB)
    let table = (0...UInt16.max).map { HalfSample.bits(curve.light(Float(Float16(bitPattern: HalfSample.finite($0))))) }
    for plane in 0..<3 {
      for y in 0..<size.height {
        unsafe withHalfRow(plane, y) { row in
          for x in row.indices { unsafe row[x] = table[Int(row[x])] }
        }
      }
    }
  }

  /// Calls `body` with a row of a plane of half floats; the row must not escape.
  @unsafe
  func withHalfRow<Result>(_ plane: Int, _ y: Int, _ body: (UnsafeMutableBufferPointer<UInt16>) -> Result) -> Result {
    unsafe withPlane(plane) { plane in
      precondition(unsafe y >= 0 && y < plane.size.height)
      let start = unsafe plane.row(y).assumingMemoryBound(to: UInt16.self)
      return unsafe body(UnsafeMutableBufferPointer(start: start, count: plane.size.width))
    }
  }

  /// The picture reduced to at most `columns` columns by averaging square blocks of pixels.
  /// - Parameter columns: At least 1.
  package func reduced(toColumns columns: Int) -> CodedFrame {
    let step = (self.size.width + columns - 1) / columns
    if step == 1 { return self }
    let size = Size(width: max(self.size.width / step, 1), height: max(self.size.height / step, 1))
    let result = CodedFrame(size: size, layout: layout, color: color)
    let rows = min(step, self.size.height)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          var sum = 0
          for row in 0..<rows {
            for column in 0..<step { sum += sample(plane: plane, x: step * x + column, y: rows * y + row) }
          }
          result.setSample(sum / (rows * step), plane: plane, x: x, y: y)
        }
      }
    }
    return result
  }
}

/// Conversion of half floats from files to finite samples.
enum HalfSample {
  /// NaN becomes 0, infinities the largest half float; others are unchanged.
  static func finite(_ bits: UInt16) -> UInt16 {
    let exponent: UInt16 = 0x7C00
    if bits & exponent != exponent { return bits }
    return bits & ~exponent & 0x7FFF != 0 ? 0 : bits & 0x8000 | 0x7BFF
  }

  /// The nearest half float, by the same rules.
  static func bits(_ value: Float) -> UInt16 { finite(Float16(value).bitPattern) }
}
