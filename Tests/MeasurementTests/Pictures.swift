import ColorScience
import Frames
import Rendering
import ToneMapping

extension CodedFrame {
  /// A frame of scrambled codes, the reserved ones included, the same in every run.
  static func scrambled(_ size: Size, _ layout: PixelLayout, _ color: ColorDescription, seed: Int = 0) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: layout, color: color)
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          var hash = UInt32(truncatingIfNeeded: (seed &* 31 &+ plane) &* 65_599 &+ y &* 8191 &+ x &+ 1) &* 0x9E37_79B1
          hash = (hash ^ hash >> 15) &* 0x85EB_CA77
          let code = Int(hash >> 16) % (1 << layout.bitDepth)
          frame.setSample(code << layout.sampleShift, plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  /// A frame of grey codes, ten bits, 4:2:0.
  static func gray(_ size: Size, _ color: ColorDescription, _ code: (_ x: Int, _ y: Int) -> Int) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: color)
    for y in 0..<size.height {
      for x in 0..<size.width { frame.setSample(code(x, y), plane: 0, x: x, y: y) }
    }
    for plane in 1...2 {
      let extent = frame.layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { frame.setSample(512, plane: plane, x: x, y: y) }
      }
    }
    return frame
  }
}

extension ColorDescription {
  /// What a stream with these tags holds.
  var content: ContentInterpretation {
    get throws { try ContentInterpretation(color: self) }
  }
}
