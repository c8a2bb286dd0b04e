public import Frames

/// The raw pixels of a frame, for pipes and memory maps; `RawSidecar` describes them.
public struct RawEncoder: ImageEncoder {
  private let format: RawFormat

  /// An encoder of frames in the format's layout.
  public init(format: RawFormat) { self.format = format }

  /// The pixels of a frame.
  /// - Parameter frame: A frame in the format's layout.
  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(frame, into: &bytes)
    return bytes
  }

  /// Appends one frame.
  /// - Parameters:
  ///   - frame: A frame in the format's layout.
  ///   - bytes: The bytes to append to.
  public func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError) {
    precondition(frame.layout == format.layout)
    switch format {
    case .rgba16Float:
      let opaque = UInt64(Float16(1).bitPattern) << 48
      Self.interleave(frame, into: &bytes) { red, green, blue in
        UInt64(red) | UInt64(green) << 16 | UInt64(blue) << 32 | opaque
      }
    case .bgr10a2:
      Self.interleave(frame, into: &bytes) { red, green, blue in
        UInt32(blue) | UInt32(green) << 10 | UInt32(red) << 20 | 3 << 30
      }
    }
  }

  /// - Parameter pixel: The little-endian word of red, green and blue.
  @inline(__always)
  private static func interleave<Pixel: FixedWidthInteger>(
    _ frame: CodedFrame, into bytes: inout [UInt8], _ pixel: (UInt16, UInt16, UInt16) -> Pixel
  ) {
    let (width, height) = (frame.size.width, frame.size.height)
    let rowByteCount = MemoryLayout<Pixel>.size * width
    if bytes.count != rowByteCount * height { bytes = [UInt8](repeating: 0, count: rowByteCount * height) }
    unsafe bytes.withUnsafeMutableBytes { target in
      unsafe frame.withPlane(0) { greens in
        unsafe frame.withPlane(1) { blues in
          unsafe frame.withPlane(2) { reds in
            for y in 0..<height {
              let red = unsafe reds.row(y).assumingMemoryBound(to: UInt16.self)
              let green = unsafe greens.row(y).assumingMemoryBound(to: UInt16.self)
              let blue = unsafe blues.row(y).assumingMemoryBound(to: UInt16.self)
              let row = unsafe UnsafeMutableRawBufferPointer(
                rebasing: target[y * rowByteCount..<(y + 1) * rowByteCount])
              let words = unsafe row.assumingMemoryBound(to: Pixel.self)
              for x in 0..<width { unsafe words[x] = pixel(red[x], green[x], blue[x]).littleEndian }
            }
          }
        }
      }
    }
  }
}
