internal import CSDL2
internal import Frames
internal import Glibc
internal import Synchronization

extension SDLWindow {
  /// The smallest window, in points.
  static let minimum: (Int32, Int32) = (320, 180)

  /// Drivers to try: what SDL_VIDEODRIVER says, or Wayland before X11, where a scaled desktop would blow pixels up.
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
      // SIGINT and SIGTERM are the program's.
      (SDL_HINT_NO_SIGNAL_HANDLERS, "1"),
      (SDL_HINT_APP_NAME, "headroom"),
      // The desktop's own compositing stays as it is when the window opens.
      (SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"),
      // Whoever watches doesn't touch the keyboard.
      (SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "0"),
      // On the second of two displays it stays full screen.
      (SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0"),
      // What is left of SDL_QUIT: the connection has ended.
      (SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"),
      // Surfaces go to the server as they are, without a texture of fewer bits.
      (SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"),
    ]
    for (name, value) in hints { unsafe SDL_SetHint(name, value) }
  }

  /// The first size of a window in SDL's points: the picture's, but at most 90 % of the display, with its aspect.
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
  /// SDL has one state in a process, and its displays are lost for good.
  private static let isTaken = Mutex(false)

  /// Opens a window by the first driver that can.
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

  /// Another window may be opened.
  static func release() { isTaken.withLock { $0 = false } }
}
