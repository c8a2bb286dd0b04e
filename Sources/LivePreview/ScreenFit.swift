package import Filters
package import Frames
package import Preview
internal import Rendering
internal import Sessions

/// The render size that makes a picture fill a screen.
package struct ScreenFit: Hashable {
  /// Size of the shown picture in pixels.
  package let picture: Size

  /// Minimum size of a picture for scopes and chroma.
  private static let least = 16

  /// - Parameters:
  ///   - picture: Size of the rotated source picture.
  ///   - aspect: Sample aspect ratio.
  ///   - area: Area for the picture and filter drawings beside it.
  ///   - isHalved: Rendered at half the width and height.
  package init(_ picture: Size, aspect: Double, in area: ScreenArea, _ filters: [Filter], isHalved: Bool) {
    let shape = Double(picture.width) * aspect / Double(max(picture.height, 1)) / area.pixelAspect
    var bounds = area.size
    var size = Self.fit(shape, bounds)
    // Filter drawings are proportional to the picture, except for rounding.
    for _ in 0..<4 {
      let whole = Filter.frameSize(filters, picture: size)
      if whole.width <= area.size.width, whole.height <= area.size.height { break }
      bounds = Size(
        width: bounds.width * area.size.width / max(whole.width, area.size.width),
        height: bounds.height * area.size.height / max(whole.height, area.size.height))
      size = Self.fit(shape, bounds)
    }
    self.picture =
      isHalved ? Size(width: max(size.width / 2, Self.least), height: max(size.height / 2, Self.least)) : size
  }

  /// Returns the largest size with an aspect ratio within bounds.
  private static func fit(_ shape: Double, _ bounds: Size) -> Size {
    let height = min(Double(bounds.height), Double(bounds.width) / max(shape, 1e-3))
    return Size(
      width: min(max(Int((height * shape).rounded()), least), max(bounds.width, least)),
      height: min(max(Int(height.rounded()), least), max(bounds.height, least)))
  }
}
