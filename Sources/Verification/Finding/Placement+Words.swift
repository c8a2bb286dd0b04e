public import Frames

extension Placement {
  /// Columns and rows along the four sides of the picture.
  public struct Margins: Sendable, Hashable {
    /// Columns at the left.
    public var left: Int
    /// Rows at the top.
    public var top: Int
    /// Columns at the right.
    public var right: Int
    /// Rows at the bottom.
    public var bottom: Int

    /// Columns and rows; none unless stated.
    public init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
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
