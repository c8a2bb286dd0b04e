internal import CSDL2

extension WindowEvent {
  /// nil: an irrelevant event.
  @unsafe
  init?(_ event: SDL_Event, pixelsPerPoint: Double) {
    switch unsafe SDL_EventType(event.type) {
    case SDL_KEYDOWN:
      self = unsafe .key(Self.special(event.key.keysym.sym), isRepeat: event.key.repeat != 0)
    case SDL_TEXTINPUT:
      self = unsafe .text(Self.text(event.text))
    case SDL_MOUSEMOTION:
      self = unsafe .pointer(
        x: Double(event.motion.x) * pixelsPerPoint, y: Double(event.motion.y) * pixelsPerPoint)
    case SDL_MOUSEBUTTONDOWN:
      guard unsafe Int32(event.button.button) == SDL_BUTTON_LEFT, unsafe event.button.clicks == 2
      else { return nil }
      self = .doubleClick
    case SDL_WINDOWEVENT:
      self.init(unsafe SDL_WindowEventID(UInt32(event.window.event)))
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
