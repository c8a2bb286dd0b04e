internal import CSDL2
internal import Frames
internal import Glibc
internal import Synchronization

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
  /// - Parameter driver: SDL's video driver; nil: SDL's choice.
  init(title: String, preferred: Size, driver: String?) throws(ScreenError) {
    Self.setHints(driver: driver)
    guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw .cannotOpen(reason: Self.errorText) }
    let name = unsafe SDL_GetCurrentVideoDriver().map { unsafe String(cString: $0) } ?? ""
    let flags = SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
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

  /// Shows pixels; false if the window's size has changed.
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

  /// Minimum window size, in points.
  static let minimum: (Int32, Int32) = (320, 180)

  /// Drivers to try: the one in SDL_VIDEODRIVER, or Wayland before X11, which would upscale pixels on a scaled desktop.
  static var drivers: [String?] {
    if isSet("SDL_VIDEODRIVER") { return [nil] }
    var drivers: [String?] = []
    if isSet("WAYLAND_DISPLAY") { drivers.append("wayland") }
    if isSet("DISPLAY") { drivers.append("x11") }
    return drivers
  }

  private static func isSet(_ name: String) -> Bool {
    unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false
  }

  static func setHints(driver: String?) {
    if let driver {
      unsafe SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, driver, SDL_HINT_OVERRIDE)
    }
    let hints = [
      // The program handles SIGINT and SIGTERM.
      (SDL_HINT_NO_SIGNAL_HANDLERS, "1"),
      (SDL_HINT_APP_NAME, "headroom"),
      // Opening the window must not change the desktop's compositing.
      (SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"),
      // Watching needs no keyboard, so the screen saver may start.
      (SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "0"),
      // Stays full screen when another display gets the focus.
      (SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0"),
      // SDL_QUIT then means only that the connection has ended.
      (SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"),
      // Sends surfaces to the server unchanged, without a texture of lower bit depth.
      (SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"),
    ]
    for (name, value) in hints { unsafe SDL_SetHint(name, value) }
  }

  /// Returns the initial window size in SDL's points: the picture's, but at most 90 % of the display, with its aspect.
  static func initialSize(for preferred: Size, pixelsPerPoint: Double) -> (Int32, Int32) {
    var usable = SDL_Rect()
    let isKnown = unsafe SDL_GetDisplayUsableBounds(0, &usable) == 0 && usable.w > 0 && usable.h > 0
    return initialSize(
      for: preferred, pixelsPerPoint: pixelsPerPoint,
      usable: isKnown ? Size(width: Int(usable.w), height: Int(usable.h)) : Size(width: 1280, height: 720))
  }

  static func initialSize(for preferred: Size, pixelsPerPoint: Double, usable: Size) -> (Int32, Int32) {
    let width = Double(min(max(preferred.width, 1), 32_768)) / max(pixelsPerPoint, 1)
    let height = Double(min(max(preferred.height, 1), 32_768)) / max(pixelsPerPoint, 1)
    let share = min(1, 0.9 * Double(usable.width) / width, 0.9 * Double(usable.height) / height)
    return (max(Int32((width * share).rounded()), minimum.0), max(Int32((height * share).rounded()), minimum.1))
  }

  /// SDL is a singleton per process, and a lost display cannot be recovered.
  private static let isTaken = Mutex(false)

  /// Opens a window with the first driver that works.
  static func open(title: String, preferred: Size, drivers: [String?]) throws(ScreenError) -> SDLWindow {
    let isFree = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isFree else { throw DisplayConnection.isLost ? .connectionLost : .isInUse }
    var failure = ScreenError.noDisplay
    for driver in drivers {
      do {
        return try SDLWindow(title: title, preferred: preferred, driver: driver)
      } catch {
        failure = error
      }
    }
    release()
    throw failure
  }

  /// Allows another window to be opened.
  static func release() { isTaken.withLock { $0 = false } }
}

/// A window's connection to its X server or compositor: its descriptor for waiting, and whether it is alive.
struct DisplayConnection {
  /// nil: none, or unknown.
  let descriptor: Int32?
  /// Text scale of an X11 desktop: 2 for 192 dots per inch; 1 elsewhere.
  let textScale: Double

  private static let lost = Atomic(false)

  /// A connection of this process was lost: SDL must not be called any more.
  static var isLost: Bool { lost.load(ordering: .acquiring) }

  @unsafe
  init(of window: OpaquePointer) {
    let native = unsafe headroom_native(window)
    if let display = unsafe native.x11_display {
      unsafe Self.keepProcess(alive: display)
      descriptor = unsafe XConnectionNumber(display)
      textScale = unsafe Self.textScale(of: display)
    } else {
      descriptor = unsafe native.wayland_display.map { unsafe wl_display_get_fd($0) }
      textScale = 1
    }
  }

  /// Xlib exits the process if a request fails or the server is gone, which would abort a recording.
  @unsafe
  private static func keepProcess(alive display: OpaquePointer) {
    unsafe XSetErrorHandler { _, _ in 0 }
    unsafe XSetIOErrorHandler { _ in 0 }
    unsafe XSetIOErrorExitHandler(
      display, { _, _ in DisplayConnection.lost.store(true, ordering: .releasing) }, nil)
  }

  /// Reads the resource Xft.dpi, which desktops set to their scale, in quarters of 96 dots per inch.
  @unsafe
  private static func textScale(of display: OpaquePointer) -> Double {
    guard let resources = unsafe XResourceManagerString(display) else { return 1 }
    return textScale(resources: unsafe String(cString: resources))
  }

  static func textScale(resources: String) -> Double {
    for line in resources.split(whereSeparator: \.isNewline) {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, pair[0] == "Xft.dpi" else { continue }
      guard let dots = Double(pair[1].filter { !$0.isWhitespace }), dots.isFinite else { return 1 }
      return min(max((dots / 96 * 4).rounded() / 4, 1), 4)
    }
    return 1
  }
}
