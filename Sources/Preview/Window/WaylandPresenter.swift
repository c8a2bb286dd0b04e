internal import CSDL2
internal import Frames

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
