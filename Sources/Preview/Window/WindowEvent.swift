internal import CSDL2

/// A window event relevant to a preview.
package enum WindowEvent: Sendable, Hashable {
  /// A key press: a special key, or nil for one that types a character.
  case key(PreviewKey.Special?, isRepeat: Bool)
  /// Characters typed with the preceding key press.
  case text(String)
  /// The size in pixels or the scale may have changed.
  case resized
  /// The content may be lost.
  case exposed
  /// The pointer position in pixels.
  case pointer(x: Double, y: Double)
  /// The pointer has left the window.
  case pointerLeft
  case doubleClick
  /// A request to close the window.
  case closed
  /// The connection to the display is lost.
  case lost

  /// nil: an irrelevant event.
  @unsafe
  init?(_ event: SDL_Event, pixelsPerPoint: Double) {
    switch unsafe SDL_EventType(event.type) {
    case SDL_KEYDOWN:
      self = unsafe .key(Self.special(event.key.keysym.sym), isRepeat: event.key.repeat != 0)
    case SDL_TEXTINPUT: self = unsafe .text(Self.text(event.text))
    case SDL_MOUSEMOTION:
      self = unsafe .pointer(
        x: Double(event.motion.x) * pixelsPerPoint, y: Double(event.motion.y) * pixelsPerPoint)
    case SDL_MOUSEBUTTONDOWN:
      guard unsafe Int32(event.button.button) == SDL_BUTTON_LEFT, unsafe event.button.clicks == 2
      else { return nil }
      self = .doubleClick
    case SDL_WINDOWEVENT: self.init(unsafe SDL_WindowEventID(UInt32(event.window.event)))
    case SDL_QUIT: self = .lost
    default: return nil
    }
  }

  private init?(_ window: SDL_WindowEventID) {
    switch window {
    case SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_DISPLAY_CHANGED: self = .resized
    case SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED: self = .exposed
    case SDL_WINDOWEVENT_LEAVE: self = .pointerLeft
    case SDL_WINDOWEVENT_CLOSE: self = .closed
    default: return nil
    }
  }

  private static func special(_ key: SDL_Keycode) -> PreviewKey.Special? {
    switch Int(key) {
    case Int(SDLK_ESCAPE.rawValue): .escape
    case Int(SDLK_SPACE.rawValue): .space
    case Int(SDLK_LEFT.rawValue): .left
    case Int(SDLK_RIGHT.rawValue): .right
    case Int(SDLK_UP.rawValue): .up
    case Int(SDLK_DOWN.rawValue): .down
    case Int(SDLK_F11.rawValue): .f11
    default: nil
    }
  }

  @unsafe
  private static func text(_ event: SDL_TextInputEvent) -> String {
    unsafe withUnsafeBytes(of: event.text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// Maps key presses and typed characters to commands.
struct WindowKeyboard {
  /// The last key press was a repetition.
  private var isRepeat = false

  /// Handles a key press.
  /// - Parameter special: The key, if it types no character.
  mutating func press(_ special: PreviewKey.Special?, isRepeat: Bool) -> PreviewCommand? {
    self.isRepeat = isRepeat
    return special.flatMap { command(for: .special($0)) }
  }

  /// Handles characters typed with the last key.
  mutating func type(_ text: String) -> [PreviewCommand] {
    text.compactMap { command(for: .character($0)) }
  }

  private func command(for press: PreviewKey.Press) -> PreviewCommand? {
    PreviewKey.command(for: press).flatMap { isRepeat && !$0.repeats ? nil : $0 }
  }
}

extension PreviewCommand {
  /// Whether a held key repeats the command.
  var repeats: Bool {
    switch self {
    case .raiseHeadroom, .lowerHeadroom, .raiseExposure, .lowerExposure, .raiseSDRWhite,
      .lowerSDRWhite, .step:
      true
    default: false
    }
  }
}
