internal import CSDL2
internal import Frames

/// Presents through Xlib: for visuals with 10 bits per component, for which SDL has no surfaces.
@safe
final class X11Presenter: WindowPresenter {
  // @safe: the display outlives the presenter, and only the presenter's thread uses it.
  private let window: OpaquePointer
  private let display: OpaquePointer
  private let drawable: Window
  private let visual: UnsafeMutablePointer<Visual>
  private let depth: Int32
  private let context: GC
  let format: PackedFormat

  /// nil: the window has no 10-bit visual.
  @unsafe
  init?(window: OpaquePointer) {
    let native = unsafe headroom_native(window)
    var attributes = unsafe XWindowAttributes()
    guard let display = unsafe native.x11_display,
      unsafe XGetWindowAttributes(display, native.x11_window, &attributes) != 0,
      let visual = unsafe attributes.visual,
      let format = unsafe PackedFormat(
        red: UInt32(truncatingIfNeeded: visual.pointee.red_mask),
        green: UInt32(truncatingIfNeeded: visual.pointee.green_mask),
        blue: UInt32(truncatingIfNeeded: visual.pointee.blue_mask)), format.bitDepth == 10,
      let context = unsafe XCreateGC(display, native.x11_window, 0, nil)
    else { return nil }
    unsafe (self.window, self.display, self.drawable) = unsafe (window, display, native.x11_window)
    unsafe (self.visual, self.depth, self.context) = unsafe (visual, attributes.depth, context)
    self.format = format
  }

  func present(_ canvas: WindowCanvas) throws(ScreenError) -> Bool {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetWindowSizeInPixels(window, &width, &height)
    guard canvas.size == Size(width: Int(width), height: Int(height)) else { return false }
    let isPut = unsafe canvas.pixels.withUnsafeBytes { pixels in
      // Xlib only reads through the pointer.
      unsafe headroom_put_image(
        display, drawable, visual, depth, context,
        UnsafeMutableRawPointer(mutating: pixels.baseAddress), width, height)
        != 0
    }
    guard isPut else {
      throw .cannotPresent(reason: "the X server has no pixels of 32 bits for this window")
    }
    unsafe XSync(display, 0)
    return true
  }

  func presentedPixels() -> [UInt32]? {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetWindowSizeInPixels(window, &width, &height)
    var pixels: [UInt32] = Array(repeating: 0, count: Int(width) * Int(height))
    return unsafe headroom_get_image(display, drawable, &pixels, width, height) != 0 ? pixels : nil
  }

  func close() { unsafe XFreeGC(display, context) }
}
