internal import CJXL
internal import Frames

/// The threads that libjxl works on a picture with.
@safe
final class JXLRunner {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let opaque: UnsafeMutableRawPointer

  /// One thread; nil where there is no memory.
  init?() {
    guard let opaque = unsafe JxlResizableParallelRunnerCreate(nil) else { return nil }
    unsafe self.opaque = unsafe opaque
  }

  /// From now on as many threads as libjxl suggests for a size.
  func resize(for size: Size) {
    let threads = JxlResizableParallelRunnerSuggestThreads(UInt64(size.width), UInt64(size.height))
    unsafe JxlResizableParallelRunnerSetThreads(opaque, Int(threads))
  }

  deinit { unsafe JxlResizableParallelRunnerDestroy(opaque) }
}
