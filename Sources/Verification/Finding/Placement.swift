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
    origin + mirrored(orientation.swapsAxes ? SIMD2(position.y, position.x) : position) * scale
  }

  /// Returns a position in the canvas with its axes swapped as in the picture, mirrored as the picture is.
  private func mirrored(_ position: SIMD2<Double>) -> SIMD2<Double> {
    let rotated = rotatedCanvas
    var result = position
    if orientation.swapsAxes ? orientation.reversesRows : orientation.reversesColumns {
      result.x = Double(rotated.width) - result.x
    }
    if orientation.swapsAxes ? orientation.reversesColumns : orientation.reversesRows {
      result.y = Double(rotated.height) - result.y
    }
    return result
  }

  /// The pattern position at a picture position; outside the canvas if the pattern is not visible there.
  public func source(of position: SIMD2<Double>) -> SIMD2<Double> {
    let result = mirrored((position - origin) / scale)
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

  /// Columns and rows along the four sides of the picture.
  public struct Margins: Sendable, Hashable {
    /// Columns at the left.
    public var left = 0
    /// Rows at the top.
    public var top = 0
    /// Columns at the right.
    public var right = 0
    /// Rows at the bottom.
    public var bottom = 0

    package init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
      (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// All four are 0.
    public var isEmpty: Bool { self == Margins() }
  }

  /// Columns and rows cropped from the pattern, to the nearest pixel.
  public var cutOff: Margins { margins { -$0 } }

  /// Columns and rows of the picture around the pattern, to the nearest pixel.
  public var box: Margins { margins { $0 } }

  /// Extent of the rotated pattern in the picture, to the nearest pixel.
  public var extent: Size {
    Size(
      width: Self.pixels(Double(rotatedCanvas.width) * scale.x),
      height: Self.pixels(Double(rotatedCanvas.height) * scale.y))
  }

  /// Whether its extent in the picture differs from the canvas.
  public var isScaled: Bool { extent != rotatedCanvas }

  /// The placement, as a phrase after "the pattern": "fills the picture, rotated by 90° clockwise".
  public var words: String {
    var parts: [String] = []
    if isScaled {
      let (across, down) = (scale.x, scale.y)
      let isEven = abs(across - down) <= 0.005 * max(abs(across), abs(down))
      parts.append("scaled from \(rotatedCanvas) to \(extent)" + (isEven ? "" : ", not proportionally"))
    }
    if let turn = orientation.words { parts.append(turn) }
    if fills { return (["fills the picture"] + parts).joined(separator: ", ") }
    if !cutOff.isEmpty { parts.append("cropped: \(cutOff.words)") }
    if !box.isEmpty { parts.append("boxed: \(box.words)") }
    return parts.isEmpty ? "lies between the pixels of the picture" : parts.joined(separator: "; ")
  }

  private func margins(_ part: (Double) -> Double) -> Margins {
    // An extent may be off by less than a pixel, as in `fills`.
    func side(_ free: Double) -> Int { max(Self.pixels(part(free)), 0) }
    guard !fills else { return Margins() }
    let end = origin + SIMD2(Double(rotatedCanvas.width), Double(rotatedCanvas.height)) * scale
    return Margins(
      left: side(origin.x), top: side(origin.y), right: side(Double(picture.width) - end.x),
      bottom: side(Double(picture.height) - end.y))
  }

  private static func pixels(_ length: Double) -> Int {
    length.isFinite ? Int(min(max(length, -1e6), 1e6).rounded()) : 0
  }

  /// The placement along a picture axis: 0 horizontal, 1 vertical.
  func axis(_ index: Int) -> AxisPlacement {
    let isColumn = (index == 0) != orientation.swapsAxes
    return AxisPlacement(
      patternAxis: isColumn ? 0 : 1,
      isReversed: isColumn ? orientation.reversesColumns : orientation.reversesRows,
      length: Double(isColumn ? canvas.width : canvas.height), origin: origin[index], scale: scale[index])
  }

  /// A fully visible canvas, edge to edge.
  init(filling picture: Size, canvas: Size, orientation: Orientation) {
    self.init(canvas: canvas, orientation: orientation, picture: picture)
    let rotated = rotatedCanvas
    scale = SIMD2(
      Double(picture.width) / Double(rotated.width), Double(picture.height) / Double(rotated.height))
  }

  /// Visible fractions of the pattern, horizontally and vertically.
  var visible: SIMD2<Double> {
    SIMD2(axis(0).visible(Double(picture.width)), axis(1).visible(Double(picture.height)))
  }
}

extension Placement.Margins {
  /// "120 pixels on the left and 1 pixel at the bottom".
  public var words: String {
    let sides = [(left, "on the left"), (right, "on the right"), (top, "at the top"), (bottom, "at the bottom")]
    let parts = sides.filter { $0.0 > 0 }.map { "\($0.0) pixel\($0.0 == 1 ? "" : "s") \($0.1)" }
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "nothing" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Orientation {
  /// Whether the picture is mirrored, rotated or not.
  public var isMirrored: Bool { [swapsAxes, reversesColumns, reversesRows].count { $0 } % 2 == 1 }

  /// The transformation in words; nil: none.
  public var words: String? {
    switch (swapsAxes, reversesColumns, reversesRows) {
    case (false, false, false): nil
    case (false, true, true): "rotated by 180°"
    case (true, false, true): "rotated by 90° clockwise"
    case (true, true, false): "rotated by 90° counterclockwise"
    case (false, true, false): "mirrored left to right"
    case (false, false, true): "mirrored top to bottom"
    case (true, false, false): "mirrored left to right and rotated by 90° counterclockwise"
    case (true, true, true): "mirrored left to right and rotated by 90° clockwise"
    }
  }
}

/// A placement along one axis of the picture.
struct AxisPlacement: Sendable, Hashable {
  /// Axis of the pattern along this axis: 0 horizontal, 1 vertical.
  var patternAxis: Int
  /// The pattern runs from right to left, or from bottom to top.
  var isReversed: Bool
  /// Length of the pattern along this axis, in canvas pixels.
  var length: Double
  /// Where the pattern begins, in pixels of the picture.
  var origin: Double
  /// Picture pixels per canvas pixel.
  var scale: Double

  var end: Double { origin + length * scale }

  /// The position in the picture of a pattern position.
  func place(_ position: Double) -> Double { origin + (isReversed ? length - position : position) * scale }

  /// The pattern position visible at a picture position.
  func source(of position: Double) -> Double {
    let rotated = (position - origin) / scale
    return isReversed ? length - rotated : rotated
  }

  /// The visible fraction of the pattern.
  /// - Parameter extent: Of the picture.
  func visible(_ extent: Double) -> Double {
    let seen = min(end, extent) - max(origin, 0)
    return seen > 0 ? seen / (length * scale) : 0
  }
}
