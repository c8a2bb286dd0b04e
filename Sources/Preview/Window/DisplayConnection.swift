internal import CSDL2
internal import Synchronization

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
