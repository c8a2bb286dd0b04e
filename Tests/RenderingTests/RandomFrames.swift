import ColorScience
import Frames
import TestSupport

extension CodedFrame {
  /// A frame of independent random codes, the reserved ones included.
  static func random(_ format: PixelFormat, fieldOrder: FieldOrder? = nil, seed: UInt64) -> CodedFrame {
    let frame = CodedFrame(format, fieldOrder: fieldOrder)
    var generator = Xorshift(seed: seed)
    for plane in 0..<format.layout.planeCount {
      let size = format.layout.planeSize(plane, of: format.size)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let code = Int.random(in: 0..<(1 << format.layout.bitDepth), using: &generator)
          frame.setSample(code << format.layout.sampleShift, plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }
}

/// How far apart the codes of two pictures are.
struct CodeDifference: CustomStringConvertible {
  var largest = 0
  var mean = 0.0
  /// Codes that occur in the exact picture. A mean over few of them is that of their rounding.
  var codes = 0
  /// Samples that differ by more than one code, and by more than one more than rounding explains.
  var outliers = 0

  /// - Parameter spread: By how many codes rounding moves a sample of the exact frame `b`. From half a code the sample
  ///   may be off by as much more.
  init(
    _ a: CodedFrame, _ b: CodedFrame, spread: (_ plane: Int, _ x: Int, _ y: Int) -> Double = { _, _, _ in 0 }
  ) {
    var (sum, count) = (0, 0)
    var seen: Set<Int> = []
    for plane in 0..<a.layout.planeCount {
      let size = a.layout.planeSize(plane, of: a.size)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let difference = abs(a.sample(plane: plane, x: x, y: y) - b.sample(plane: plane, x: x, y: y))
          largest = max(largest, difference)
          if difference > 1 {
            let codes = spread(plane, x, y)
            if codes < 0.5 || difference > 1 + Int(codes.rounded(.up)) { outliers += 1 }
          }
          seen.insert(b.sample(plane: plane, x: x, y: y))
          sum += difference
          count += 1
        }
      }
    }
    mean = Double(sum) / Double(count)
    codes = seen.count
  }

  var description: String { "largest \(largest), mean \(mean), above one \(outliers)" }
}
