/// What happens to a window, as far as a preview cares.
package enum WindowEvent: Sendable, Hashable {
  /// A key went down: one that stands for itself, or another.
  case key(PreviewKey.Special?, isRepeat: Bool)
  /// Characters were typed by the key before.
  case text(String)
  /// Its size in pixels or its scale may have changed.
  case resized
  /// What it showed may be lost.
  case exposed
  /// The pointer is at this pixel.
  case pointer(x: Double, y: Double)
  /// The pointer has left it.
  case pointerLeft
  case doubleClick
  /// Somebody wants it to be closed.
  case closed
  /// The connection to the display has ended.
  case lost
}
