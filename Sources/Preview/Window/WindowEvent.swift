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
}
