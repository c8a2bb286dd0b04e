internal import Frames

/// The positions of a frame's rows in device memory.
struct OutputLayout: Hashable {
  let format: OutputFormat
  let size: Size
  /// Stride of luma, or of all components.
  private let stride: Int
  /// Bytes written per frame.
  let length: Int

  /// Maximum row length of any driver.
  private static let longestRow = 1 << 18
  private static let longestFrame = 1 << 29

  /// - Parameters:
  ///   - stride: The driver's stride; 0: rows are contiguous.
  ///   - length: The driver's buffer length.
  /// - Returns: nil if a frame does not fit.
  init?(_ format: OutputFormat, size: Size, stride: Int, length: Int) {
    let packed = format.packed
    let row = packed.planeSize(0, of: size).width * packed.bytesPerSample
    self.stride = stride == 0 ? row : stride
    // Separate chroma planes have half the stride.
    let isEven = packed.packing != .planar || self.stride % 2 == 0
    guard self.stride >= row, self.stride <= Self.longestRow, isEven, self.stride % packed.bytesPerSample == 0,
      size.height <= Self.longestRow
    else { return nil }
    (self.format, self.size, self.length) = (format, size, length)
    let end = (0..<packed.planeCount).map { offset(ofPlane: $0) + self.stride(ofPlane: $0) * rows(ofPlane: $0) }.max()
    guard let end, end <= length, length <= Self.longestFrame else { return nil }
  }

  private func rows(ofPlane index: Int) -> Int { format.packed.planeSize(index, of: size).height }

  private func stride(ofPlane index: Int) -> Int { format.packed.packing == .planar && index > 0 ? stride / 2 : stride }

  private func offset(ofPlane index: Int) -> Int {
    (0..<index).reduce(0) { $0 + stride(ofPlane: $1) * rows(ofPlane: $1) }
  }

  /// Copies a planar frame of this size and of the format's layout.
  /// - Parameter memory: At least `length` bytes.
  func store(_ frame: CodedFrame, in memory: UnsafeMutableRawPointer) {
    unsafe frame.withPlane(0) { luma in
      unsafe frame.withPlane(1) { cb in
        unsafe frame.withPlane(2) { cr in
          let planes = unsafe (luma, cb, cr)
          switch format.packed.packing {
          case .semiplanar where format.packed.bitDepth > 8:
            unsafe storeSemiplanar(planes, memory, shift: UInt16(format.packed.sampleShift))
          case .semiplanar: unsafe storeSemiplanar(planes, memory, shift: UInt8(0))
          case .yuyv: unsafe storeInterleaved(planes, memory)
          default: unsafe storePlanes(planes, memory)
          }
        }
      }
    }
  }

  private typealias Planes = (luma: CodedFrame.Plane, cb: CodedFrame.Plane, cr: CodedFrame.Plane)

  private func storePlanes(_ planes: Planes, _ memory: UnsafeMutableRawPointer) {
    unsafe [planes.luma, planes.cb, planes.cr].enumerated().forEach { index, plane in
      let start = unsafe memory + offset(ofPlane: index)
      for y in 0..<rows(ofPlane: index) {
        unsafe (start + y * stride(ofPlane: index)).copyMemory(from: plane.row(y), byteCount: plane.size.width)
      }
    }
  }

  /// Luma, then rows of alternating Cb and Cr, in the high bits of words.
  private func storeSemiplanar<Sample: FixedWidthInteger>(
    _ planes: Planes, _ memory: UnsafeMutableRawPointer, shift: Sample
  ) {
    for y in 0..<rows(ofPlane: 0) {
      let from = unsafe planes.luma.row(y).assumingMemoryBound(to: Sample.self)
      let to = unsafe (memory + y * stride).assumingMemoryBound(to: Sample.self)
      for x in unsafe 0..<planes.luma.size.width { unsafe to[x] = unsafe from[x] &<< shift }
    }
    let start = unsafe memory + offset(ofPlane: 1)
    for y in 0..<rows(ofPlane: 1) {
      let cb = unsafe planes.cb.row(y).assumingMemoryBound(to: Sample.self)
      let cr = unsafe planes.cr.row(y).assumingMemoryBound(to: Sample.self)
      let to = unsafe (start + y * stride).assumingMemoryBound(to: Sample.self)
      for x in unsafe 0..<planes.cb.size.width {
        unsafe to[2 * x] = unsafe cb[x] &<< shift
        unsafe to[2 * x + 1] = unsafe cr[x] &<< shift
      }
    }
  }

  /// Y', Cb, Y', Cr.
  private func storeInterleaved(_ planes: Planes, _ memory: UnsafeMutableRawPointer) {
    // The last pair of an odd row has no second pixel.
    let last = unsafe planes.luma.size.width - 1
    for y in 0..<rows(ofPlane: 0) {
      let luma = unsafe planes.luma.row(y).assumingMemoryBound(to: UInt8.self)
      let cb = unsafe planes.cb.row(y).assumingMemoryBound(to: UInt8.self)
      let cr = unsafe planes.cr.row(y).assumingMemoryBound(to: UInt8.self)
      let to = unsafe (memory + y * stride).assumingMemoryBound(to: UInt8.self)
      for x in unsafe 0..<planes.cb.size.width {
        unsafe to[4 * x] = unsafe luma[2 * x]
        unsafe to[4 * x + 1] = unsafe cb[x]
        unsafe to[4 * x + 2] = unsafe luma[min(2 * x + 1, last)]
        unsafe to[4 * x + 3] = unsafe cr[x]
      }
    }
  }
}

/// A pixel format that a device accepts, and the planar layout it is packed from.
struct OutputFormat: Hashable {
  /// The driver's code.
  let code: FourCC
  /// The sample layout in device memory.
  let packed: PixelLayout

  private init(_ code: StaticString, _ components: PixelLayout.Components, _ bits: Int, _ packing: PixelLayout.Packing)
  {
    (self.code, packed) = (FourCC(code), PixelLayout(components, bitDepth: bits, packing: packing))
  }

  /// The planar layout of frames to write.
  var planar: PixelLayout { PixelLayout(packed.components, bitDepth: packed.bitDepth) }

  private static let known = [
    OutputFormat("YU12", .ycbcr420, 8, .planar), OutputFormat("422P", .ycbcr422, 8, .planar),
    OutputFormat("NV12", .ycbcr420, 8, .semiplanar), OutputFormat("YUYV", .ycbcr422, 8, .yuyv),
    OutputFormat("P010", .ycbcr420, 10, .semiplanar),
  ]

  /// Returns the writable formats, best first: with eight bits, formats without interleaving come first.
  static func preferred(among offered: [FourCC], isTenBitPreferred: Bool) -> [OutputFormat] {
    let taken = known.filter { offered.contains($0.code) }
    return isTenBitPreferred
      ? taken.filter { $0.packed.bitDepth > 8 } + taken.filter { $0.packed.bitDepth == 8 } : taken
  }
}
