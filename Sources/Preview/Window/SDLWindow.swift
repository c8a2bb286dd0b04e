internal import CSDL2
internal import Frames

/// An SDL window with its connection to the display. Created and used by one thread; one exists at a time.
@safe
final class SDLWindow {
  // @safe: the pointer is used only by this type and its presenter, on one thread, and lives until `close`.
  private let window: OpaquePointer
  private let presenter: any WindowPresenter
  private let connection: DisplayConnection
  private(set) var isFullScreen = false
  /// Size in points before full screen.
  private var windowed: Size?

  /// Opens a hidden window; `show` makes it visible.
  /// - Parameters:
  ///   - preferred: Picture size in pixels.
  ///   - driver: SDL's video driver; nil: SDL's choice.
  init(title: String, preferred: Size, driver: String?) throws(ScreenError) {
    Self.setHints(driver: driver)
    guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw .cannotOpen(reason: Self.errorText) }
    let name = unsafe SDL_GetCurrentVideoDriver().map { unsafe String(cString: $0) } ?? ""
    let flags =
      SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    let size = Self.initialSize(for: preferred, pixelsPerPoint: 1)
    guard
      let window = unsafe SDL_CreateWindow(
        title, headroom_window_centered(), headroom_window_centered(), size.0, size.1, flags)
    else {
      let reason = Self.errorText
      SDL_QuitSubSystem(SDL_INIT_VIDEO)
      throw .cannotOpen(reason: reason)
    }
    connection = unsafe DisplayConnection(of: window)
    do {
      presenter = unsafe try Self.presenter(for: window, driver: name)
    } catch {
      unsafe SDL_DestroyWindow(window)
      SDL_QuitSubSystem(SDL_INIT_VIDEO)
      throw error
    }
    unsafe self.window = unsafe window
    fitToDisplay(preferred)
  }

  /// Destroys the window. A lost connection is left alone: requests would fail, and some would exit the process.
  func close() {
    guard !DisplayConnection.isLost else { return }
    presenter.close()
    unsafe SDL_DestroyWindow(window)
    SDL_QuitSubSystem(SDL_INIT_VIDEO)
    Self.release()
  }

  static var errorText: String {
    let text = unsafe String(cString: SDL_GetError())
    return text.isEmpty ? "SDL gives no reason" : text
  }

  private static func presenter(
    for window: OpaquePointer, driver: String
  ) throws(ScreenError) -> any WindowPresenter {
    // Under Wayland, SDL's surfaces are in points, and the compositor scales them.
    if driver == "wayland" { return unsafe try WaylandPresenter(window: window) }
    if driver == "x11", let deep = unsafe X11Presenter(window: window) { return deep }
    return unsafe try SurfacePresenter(window: window)
  }

  /// The pixel format of the window.
  var format: PackedFormat { presenter.format }

  /// The descriptor to wait for besides a wake-up; nil: SDL must be polled.
  var descriptor: Int32? { connection.descriptor }

  /// Size in pixels; at least 1x1.
  var size: Size {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetWindowSizeInPixels(window, &width, &height)
    return Size(width: min(max(Int(width), 1), 32_768), height: min(max(Int(height), 1), 32_768))
  }

  private var points: Size {
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetWindowSize(window, &width, &height)
    return Size(width: max(Int(width), 1), height: max(Int(height), 1))
  }

  /// Pixels of the window per SDL unit.
  private var ratio: Double { Double(size.width) / Double(points.width) }

  /// Pixels per point: SDL's value, or under X11 the desktop's text scale.
  var scale: Double { max(ratio, connection.textScale) }

  private func fitToDisplay(_ preferred: Size) {
    let size = Self.initialSize(for: preferred, pixelsPerPoint: ratio)
    unsafe SDL_SetWindowMinimumSize(window, Self.minimum.0, Self.minimum.1)
    unsafe SDL_SetWindowSize(window, size.0, size.1)
    let centered = headroom_window_centered()
    unsafe SDL_SetWindowPosition(window, centered, centered)
  }

  func show() {
    unsafe SDL_ShowWindow(window)
    SDL_StartTextInput()
  }

  func resize(to size: Size) {
    let (width, height) = (Double(size.width) / ratio, Double(size.height) / ratio)
    unsafe SDL_SetWindowSize(window, Int32(width.rounded()), Int32(height.rounded()))
  }

  func toggleFullScreen() {
    if !isFullScreen { windowed = points }
    let flags = isFullScreen ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
    guard unsafe SDL_SetWindowFullscreen(window, flags) == 0 else { return }
    isFullScreen.toggle()
    // Without a window manager, nothing else restores the size.
    if !isFullScreen, let windowed {
      unsafe SDL_SetWindowSize(window, Int32(windowed.width), Int32(windowed.height))
    }
  }

  /// Shows pixels.
  /// - Returns: false if the window's size has changed.
  func present(_ canvas: WindowCanvas) throws(ScreenError) -> Bool {
    let isDone = try presenter.present(canvas)
    if DisplayConnection.isLost { throw .connectionLost }
    return isDone
  }

  /// The visible pixels, row by row; nil: not available from this presenter.
  func presentedPixels() -> [UInt32]? { presenter.presentedPixels() }

  /// Returns the next relevant event; nil: none is pending.
  func nextEvent() -> WindowEvent? {
    var event = unsafe SDL_Event()
    while !DisplayConnection.isLost, unsafe SDL_PollEvent(&event) != 0 {
      if let known = unsafe WindowEvent(event, pixelsPerPoint: ratio) { return known }
    }
    return DisplayConnection.isLost ? .lost : nil
  }
}
