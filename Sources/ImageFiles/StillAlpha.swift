public import Compositing
internal import Frames

/// The alpha of a picture, and how its colours are stored.
struct StillAlpha: Sendable {
  let plane: AlphaPlane
  /// Whether colours are premultiplied by alpha: signals as signals, light as light.
  let isPremultiplied: Bool

  init(_ plane: AlphaPlane, isPremultiplied: Bool) {
    self.plane = plane
    self.isPremultiplied = isPremultiplied
  }
}

extension StillImage {
  /// Whether some pixels are not opaque.
  public var isTransparent: Bool { alpha.map { !$0.plane.isOpaque } ?? false }

  /// The picture composited over its background, in place; only before its frame is handed on.
  ///
  /// Readers return the colours as stored; `StillReader` composites them.
  public func composited(_ compositing: Compositing = Compositing()) -> StillImage {
    guard let alpha, !alpha.plane.isOpaque else { return self }
    let compositor = AlphaCompositor(
      frame.format, unit: frame.metadata.linearUnit, isPremultiplied: alpha.isPremultiplied, compositing)
    compositor?.composite(alpha.plane, frame)
    let note = compositing.note(isPremultiplied: alpha.isPremultiplied, isPossible: compositor != nil)
    return StillImage(
      formatName: formatName, codecName: codecName, frame: frame, orientation: orientation, iccProfile: iccProfile,
      notes: notes + [note])
  }
}
