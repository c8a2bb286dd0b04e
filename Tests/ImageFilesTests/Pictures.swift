import ColorScience
import Foundation
import Frames

/// Frames that encoders and readers are tried with.
enum Pictures {
  /// Code values without any order, the same on each run.
  static func noise(
    _ size: Size, _ layout: PixelLayout, _ color: ColorDescription, _ metadata: HDRMetadata = HDRMetadata()
  ) -> CodedFrame {
    var state: UInt32 = 1
    return frame(size, layout, color, metadata) { _, _, _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 16) >> (16 - layout.bitDepth)
    }
  }

  /// Slow ramps, each plane in another direction, over all code values.
  static func ramps(
    _ size: Size, _ layout: PixelLayout, _ color: ColorDescription, _ metadata: HDRMetadata = HDRMetadata()
  ) -> CodedFrame {
    let top = (1 << layout.bitDepth) - 1
    return frame(size, layout, color, metadata) { plane, x, y in
      let extent = layout.planeSize(plane, of: size)
      return [x * top / extent.width, y * top / extent.height, (x + y) * top / (extent.width + extent.height)][plane]
    }
  }

  static func frame(
    _ size: Size, _ layout: PixelLayout, _ color: ColorDescription, _ metadata: HDRMetadata,
    _ sample: (_ plane: Int, _ x: Int, _ y: Int) -> Int
  ) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: layout, color: color, metadata: metadata)
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { frame.setSample(sample(plane, x, y), plane: plane, x: x, y: y) }
      }
    }
    return frame
  }

  // Comparisons inside, so that a failure does not print a list of millions.
  static func areEqual(_ first: CodedFrame, _ second: CodedFrame) -> Bool { bytes(first) == bytes(second) }
  static func hold(_ bytes: Data, _ frame: CodedFrame) -> Bool { bytes == Self.bytes(frame) }

  /// The samples plane by plane without what fills up rows, as ffmpeg's rawvideo has them.
  static func bytes(_ frame: CodedFrame) -> Data {
    var data = Data()
    for plane in 0..<frame.layout.planeCount {
      unsafe frame.withPlane(plane) { view in
        for y in 0..<(unsafe view.size.height) {
          let count = unsafe view.size.width * frame.layout.bytesPerSample
          unsafe data.append(view.row(y).assumingMemoryBound(to: UInt8.self), count: count)
        }
      }
    }
    return data
  }
}
