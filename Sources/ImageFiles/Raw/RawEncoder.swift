public import Frames

/// The pixels of a frame alone, for pipes and memory maps; `RawSidecar` says what they are.
public struct RawEncoder: ImageEncoder {
  private let format: RawFormat

  public init(format: RawFormat) { self.format = format }

  /// - Parameter frame: In the format's layout.
  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    precondition(frame.layout == format.layout)
    switch format {
    case .rgba16Float:
      let opaque = UInt64(Float16(1).bitPattern) << 48
      return Self.interleave(frame) { red, green, blue in
        UInt64(red) | UInt64(green) << 16 | UInt64(blue) << 32 | opaque
      }
    case .bgr10a2:
      return Self.interleave(frame) { red, green, blue in
        UInt32(blue) | UInt32(green) << 10 | UInt32(red) << 20 | 3 << 30
      }
    }
  }

  /// - Parameter pixel: The little-endian word of red, green and blue.
  @inline(__always)
  private static func interleave<Pixel: FixedWidthInteger>(
    _ frame: CodedFrame, _ pixel: (UInt16, UInt16, UInt16) -> Pixel
  ) -> [UInt8] {
    let (width, height) = (frame.size.width, frame.size.height)
    let byteCount = MemoryLayout<Pixel>.size * width * height
    return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      unsafe frame.withPlane(0) { greens in
        unsafe frame.withPlane(1) { blues in
          unsafe frame.withPlane(2) { reds in
            let base = UnsafeMutableRawPointer(target.baseAddress)
            for y in 0..<height {
              let red = unsafe reds.row(y).assumingMemoryBound(to: UInt16.self)
              let green = unsafe greens.row(y).assumingMemoryBound(to: UInt16.self)
              let blue = unsafe blues.row(y).assumingMemoryBound(to: UInt16.self)
              guard let row = unsafe (base.map { unsafe $0 + y * width * MemoryLayout<Pixel>.size }) else { return }
              let words = unsafe row.assumingMemoryBound(to: Pixel.self)
              for x in 0..<width { unsafe words[x] = pixel(red[x], green[x], blue[x]).littleEndian }
            }
          }
        }
      }
      count = byteCount
    }
  }
}
