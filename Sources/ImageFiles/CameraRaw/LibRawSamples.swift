internal import Frames

/// The samples of a camera raw file's visible picture in LibRaw's memory.
@unsafe
struct LibRawSamples: @unchecked Sendable {
  // @unchecked: they are only read.
  /// The first sample of the visible picture.
  let base: UnsafePointer<UInt16>
  /// Samples from one row to the next.
  let pitch: Int
  /// 1 on sensors with filters, otherwise 3 or 4.
  let perPixel: Int
  let size: Size

  func row(_ y: Int) -> UnsafePointer<UInt16> { unsafe base + y * pitch }
}
