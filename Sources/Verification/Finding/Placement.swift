public import Frames

/// The placement of a pattern in a picture: orientation, scale and position.
///
/// Pattern positions are in canvas pixels, picture positions in input pixels; both count edges, so that pixel centres
/// are at 0.5.
public struct Placement: Sendable, Hashable {
  /// Extent of the pattern's canvas.
  public var canvas: Size
  /// Orientation of the pattern in the picture.
  public var orientation: Orientation
  /// Left and top edge of the rotated pattern in the picture; outside it if the pattern is cropped.
  public var origin: SIMD2<Double>
  /// Picture pixels per pixel of the rotated pattern, horizontally and vertically.
  public var scale: SIMD2<Double>
  /// Extent of the picture.
  public var picture: Size

  /// Upright, unscaled and at the top left unless specified.
  public init(
    canvas: Size, orientation: Orientation = .identity, origin: SIMD2<Double> = .zero,
    scale: SIMD2<Double> = SIMD2(1, 1), picture: Size
  ) {
    self.canvas = canvas
    self.orientation = orientation
    self.origin = origin
    self.scale = scale
    self.picture = picture
  }

  /// The pattern fills the picture, pixel by pixel.
  public var isExact: Bool {
    orientation == .identity && origin == .zero && scale == SIMD2(1, 1) && picture == canvas
  }

  /// The pattern fills the picture, scaled or not.
  public var fills: Bool {
    let extent = SIMD2(Double(rotatedCanvas.width), Double(rotatedCanvas.height)) * scale
    return abs(origin.x) < 0.5 && abs(origin.y) < 0.5 && abs(extent.x - Double(picture.width)) < 1
      && abs(extent.y - Double(picture.height)) < 1
  }

  /// Extent of the rotated canvas.
  public var rotatedCanvas: Size { orientation.rotated(canvas) }

  /// The picture position of a pattern position.
  public func place(_ position: SIMD2<Double>) -> SIMD2<Double> {
    let rotated = rotatedCanvas
    var result = orientation.swapsAxes ? SIMD2(position.y, position.x) : position
    if orientation.swapsAxes ? orientation.reversesRows : orientation.reversesColumns {
      result.x = Double(rotated.width) - result.x
    }
    if orientation.swapsAxes ? orientation.reversesColumns : orientation.reversesRows {
      result.y = Double(rotated.height) - result.y
    }
    return origin + result * scale
  }

  /// The pattern position at a picture position; outside the canvas if the pattern is not visible there.
  public func source(of position: SIMD2<Double>) -> SIMD2<Double> {
    let rotated = rotatedCanvas
    var result = (position - origin) / scale
    if orientation.swapsAxes ? orientation.reversesRows : orientation.reversesColumns {
      result.x = Double(rotated.width) - result.x
    }
    if orientation.swapsAxes ? orientation.reversesColumns : orientation.reversesRows {
      result.y = Double(rotated.height) - result.y
    }
    return orientation.swapsAxes ? SIMD2(result.y, result.x) : result
  }

  /// The picture area of a pattern area, unrounded; may extend beyond the picture.
  public func place(_ area: PictureArea) -> (from: SIMD2<Double>, to: SIMD2<Double>) {
    let a = place(SIMD2(Double(area.x), Double(area.y)))
    let b = place(SIMD2(Double(area.maxX), Double(area.maxY)))
    return (SIMD2(min(a.x, b.x), min(a.y, b.y)), SIMD2(max(a.x, b.x), max(a.y, b.y)))
  }

  /// The picture pixels that lie entirely in an area of the pattern; may be empty.
  public func pixels(of area: PictureArea) -> PictureArea {
    let (from, to) = place(area)
    let left = Int(max(from.x - 1e-6, 0).rounded(.up)), top = Int(max(from.y - 1e-6, 0).rounded(.up))
    let right = Int(min(to.x + 1e-6, Double(picture.width)).rounded(.down))
    let bottom = Int(min(to.y + 1e-6, Double(picture.height)).rounded(.down))
    return PictureArea(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0))
  }
}
