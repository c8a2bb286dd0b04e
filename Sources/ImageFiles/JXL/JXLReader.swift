internal import CJXL
internal import ColorScience
internal import FFmpegIO
internal import Frames

/// Reads the first picture of JPEG XL files.
///
/// Source: ISO/IEC 18181-1 and -2; the headers of libjxl 0.7.
public enum JXLReader {
  /// R'G'B' of 8 or 16 bits, or linear half float if the file holds linear light, or floating-point samples with sRGB
  /// or power curves.
  ///
  /// The unit of linear light is `intensity_target`; for PQ it is MaxCLL, unless it is 10000 cd/m².
  /// - Throws: `ImageFileError.unreadable` if libjxl cannot read it, `.unsupported`, `.outOfMemory`.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let file = try WholeFile.bytes(of: path)
    let decoder = try JXLDecoder(path: path)
    return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageFileError) in
      try unsafe decoder.image(of: bytes)
    }
  }
}

/// The threads that libjxl uses for a picture.
@safe
final class JXLRunner {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let opaque: UnsafeMutableRawPointer

  /// Starts with one thread; nil if the system is out of memory.
  init?() {
    guard let opaque = unsafe JxlResizableParallelRunnerCreate(nil) else { return nil }
    unsafe self.opaque = unsafe opaque
  }

  /// Uses as many threads as libjxl suggests for a size.
  func resize(for size: Size) {
    let threads = JxlResizableParallelRunnerSuggestThreads(UInt64(size.width), UInt64(size.height))
    unsafe JxlResizableParallelRunnerSetThreads(opaque, Int(threads))
  }

  deinit { unsafe JxlResizableParallelRunnerDestroy(opaque) }
}
