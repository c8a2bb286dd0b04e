internal import CSDL2
internal import Frames
internal import Glibc
internal import Synchronization

extension SDLWindow {
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
      usable: isKnown
        ? Size(width: Int(usable.w), height: Int(usable.h)) : Size(width: 1280, height: 720))
  }

  static func initialSize(for preferred: Size, pixelsPerPoint: Double, usable: Size) -> (
    Int32, Int32
  ) {
    let width = Double(min(max(preferred.width, 1), 32_768)) / max(pixelsPerPoint, 1)
    let height = Double(min(max(preferred.height, 1), 32_768)) / max(pixelsPerPoint, 1)
    let share = min(1, 0.9 * Double(usable.width) / width, 0.9 * Double(usable.height) / height)
    return (
      max(Int32((width * share).rounded()), minimum.0),
      max(Int32((height * share).rounded()), minimum.1)
    )
  }
}

extension SDLWindow {
  /// SDL is a singleton per process, and a lost display cannot be recovered.
  private static let isTaken = Mutex(false)

  /// Opens a window with the first driver that works.
  static func open(title: String, preferred: Size, drivers: [String?]) throws(ScreenError)
    -> SDLWindow
  {
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
