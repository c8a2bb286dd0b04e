internal import CSDL2
internal import Frames

/// A method of presenting pixels in a window, unscaled.
protocol WindowPresenter: AnyObject {
  /// The pixel format.
  var format: PackedFormat { get }

  /// Returns once the display has the pixels.
  /// - Returns: false if the window's size has changed; the new pixels are then not shown.
  func present(_ canvas: WindowCanvas) throws(ScreenError) -> Bool

  /// The visible pixels; nil: not readable.
  func presentedPixels() -> [UInt32]?

  /// Releases resources that the window does not own.
  func close()
}

/// Presents through SDL's window surface: X11 with visuals that SDL supports, and drivers without a server.
@safe
final class SurfacePresenter: WindowPresenter {
  // @safe: the window outlives the presenter, and a surface is not kept beyond a call.
  private let window: OpaquePointer
  let format: PackedFormat
  /// The surface's pixels are words in `format`; otherwise SDL converts them.
  private let isDirect: Bool

  @unsafe
  init(window: OpaquePointer) throws(ScreenError) {
    guard let surface = unsafe SDL_GetWindowSurface(window),
      let pixel = unsafe surface.pointee.format
    else {
      throw .cannotOpen(reason: SDLWindow.errorText)
    }
    unsafe self.window = unsafe window
    let direct = unsafe PackedFormat(
      red: pixel.pointee.Rmask, green: pixel.pointee.Gmask, blue: pixel.pointee.Bmask,
      alpha: pixel.pointee.Amask)
    isDirect = unsafe direct != nil && pixel.pointee.BytesPerPixel == 4
    format = isDirect ? direct ?? .xrgb8 : .xrgb8
  }

  func present(_ canvas: WindowCanvas) throws(ScreenError) -> Bool {
    guard let surface = unsafe SDL_GetWindowSurface(window), let target = unsafe surface.pointee.pixels else {
      throw .cannotPresent(reason: SDLWindow.errorText)
    }
    let size = unsafe Size(width: Int(surface.pointee.w), height: Int(surface.pointee.h))
    guard size == canvas.size else { return false }
    let (pitch, rowBytes) = unsafe (Int(surface.pointee.pitch), size.width * 4)
    let isCopied = unsafe canvas.pixels.withUnsafeBytes { pixels in
      guard let base = pixels.baseAddress else { return false }
      guard isDirect else {
        return unsafe SDL_ConvertPixels(
          Int32(size.width), Int32(size.height), UInt32(SDL_PIXELFORMAT_RGB888.rawValue), base, Int32(rowBytes),
          surface.pointee.format.pointee.format, target, Int32(pitch)) == 0
      }
      for y in 0..<size.height {
        unsafe (target + y * pitch).copyMemory(from: base + y * rowBytes, byteCount: rowBytes)
      }
      return true
    }
    guard isCopied, unsafe SDL_UpdateWindowSurface(window) == 0 else {
      // A window resized at this moment gets a new surface next time.
      if unsafe SDL_GetWindowSurface(window) != surface { return false }
      throw .cannotPresent(reason: SDLWindow.errorText)
    }
    return true
  }

  func presentedPixels() -> [UInt32]? {
    guard isDirect, let surface = unsafe SDL_GetWindowSurface(window),
      let base = unsafe surface.pointee.pixels
    else {
      return nil
    }
    let (pitch, width, height) = unsafe (
      Int(surface.pointee.pitch), Int(surface.pointee.w), Int(surface.pointee.h)
    )
    return unsafe [UInt32](unsafeUninitializedCapacity: width * height) { pixels, count in
      guard let target = UnsafeMutableRawPointer(pixels.baseAddress) else { return }
      for y in 0..<height {
        unsafe (target + y * width * 4).copyMemory(from: base + y * pitch, byteCount: width * 4)
      }
      count = width * height
    }
  }

  func close() {}
}

/// Presents through shared memory on the surface of a Wayland window: SDL's own surfaces are in points and would be
/// upscaled.
@safe
final class WaylandPresenter: WindowPresenter {
  // @safe: the window outlives the presenter, and the pixels live until `close`; only the window's thread uses them.
  private let window: OpaquePointer
  private let pixels: UnsafeMutablePointer<headroom_wayland>
  let format = PackedFormat.xrgb8

  @unsafe
  init(window: OpaquePointer) throws(ScreenError) {
    let native = unsafe headroom_native(window)
    guard let display = unsafe native.wayland_display, let surface = unsafe native.wayland_surface,
      let pixels = unsafe headroom_wayland_open(display, surface)
    else { throw .cannotOpen(reason: "the compositor takes no pixels in shared memory") }
    unsafe (self.window, self.pixels) = unsafe (window, pixels)
  }

  func present(_ canvas: WindowCanvas) throws(ScreenError) -> Bool {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetWindowSizeInPixels(window, &width, &height)
    guard canvas.size == Size(width: Int(width), height: Int(height)) else { return false }
    let isShown = unsafe canvas.pixels.withUnsafeBytes { bytes in
      unsafe headroom_wayland_show(pixels, bytes.baseAddress, width, height) != 0
    }
    guard isShown else { throw .cannotPresent(reason: "the compositor has not taken a picture") }
    return true
  }

  func presentedPixels() -> [UInt32]? { nil }

  func close() { unsafe headroom_wayland_close(pixels) }
}

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
    guard isPut else { throw .cannotPresent(reason: "the X server has no pixels of 32 bits for this window") }
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
