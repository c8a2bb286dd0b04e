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
    guard let surface = unsafe SDL_GetWindowSurface(window),
      let target = unsafe surface.pointee.pixels
    else {
      throw .cannotPresent(reason: SDLWindow.errorText)
    }
    let size = unsafe Size(width: Int(surface.pointee.w), height: Int(surface.pointee.h))
    guard size == canvas.size else { return false }
    let (pitch, rowBytes) = unsafe (Int(surface.pointee.pitch), size.width * 4)
    let isCopied = unsafe canvas.pixels.withUnsafeBytes { pixels in
      guard let base = pixels.baseAddress else { return false }
      guard isDirect else {
        return unsafe SDL_ConvertPixels(
          Int32(size.width), Int32(size.height), UInt32(SDL_PIXELFORMAT_RGB888.rawValue), base,
          Int32(rowBytes),
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
