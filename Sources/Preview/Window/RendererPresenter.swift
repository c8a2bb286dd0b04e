internal import CSDL2
internal import Frames

/// By a texture as large as the window in pixels: for Wayland, where surfaces of SDL are in points.
@safe
final class RendererPresenter: WindowPresenter {
  // @safe: renderer and texture live until `close`, and are used by the window's thread only.
  private let renderer: OpaquePointer
  private var texture: OpaquePointer?
  private var textureSize = Size(width: 0, height: 0)
  let format = PackedFormat.xrgb8

  @unsafe
  init(window: OpaquePointer) throws(ScreenError) {
    guard let renderer = unsafe SDL_CreateRenderer(window, -1, 0) else {
      throw .cannotOpen(reason: SDLWindow.errorText)
    }
    unsafe self.renderer = unsafe renderer
  }

  func present(_ canvas: WindowCanvas) throws(ScreenError) -> Bool {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetRendererOutputSize(renderer, &width, &height)
    guard canvas.size == Size(width: Int(width), height: Int(height)) else { return false }
    try makeTexture(canvas.size)
    let isDrawn = unsafe canvas.pixels.withUnsafeBytes { pixels in
      unsafe SDL_UpdateTexture(texture, nil, pixels.baseAddress, width * 4) == 0
        && SDL_RenderCopy(renderer, texture, nil, nil) == 0
    }
    guard isDrawn else { throw .cannotPresent(reason: SDLWindow.errorText) }
    unsafe SDL_RenderPresent(renderer)
    return true
  }

  private func makeTexture(_ size: Size) throws(ScreenError) {
    guard size != textureSize else { return }
    if let texture = unsafe texture { unsafe SDL_DestroyTexture(texture) }
    unsafe texture = unsafe SDL_CreateTexture(
      renderer, UInt32(SDL_PIXELFORMAT_RGB888.rawValue),
      Int32(SDL_TEXTUREACCESS_STREAMING.rawValue),
      Int32(size.width), Int32(size.height))
    guard unsafe texture != nil else {
      textureSize = Size(width: 0, height: 0)
      throw .cannotPresent(reason: SDLWindow.errorText)
    }
    textureSize = size
  }

  func presentedPixels() -> [UInt32]? { nil }

  func close() {
    if let texture = unsafe texture { unsafe SDL_DestroyTexture(texture) }
    unsafe SDL_DestroyRenderer(renderer)
  }
}
