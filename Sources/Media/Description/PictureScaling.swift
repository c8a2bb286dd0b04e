public import Frames

/// The size that pictures are scaled to.
public struct PictureScaling: Sendable, Hashable, Codable {
  /// Width or height of the result.
  public enum Extent: Sendable, Hashable, Codable {
    /// A number of samples, within `extents`.
    case samples(Int)
    /// Derived from the other extent by the picture's aspect ratio, rounded to a multiple of this.
    case ratio(multiple: Int)
  }

  /// Widths and heights that pictures can be scaled to.
  public static let extents = 16...16_384

  /// Multiples that an extent can be rounded to.
  public static let multiples = 1...64

  /// Width of the result.
  public let width: Extent
  /// Height of the result.
  public let height: Extent

  /// A size from its extents; at least one must be a number of samples.
  /// - Returns: nil if neither extent is a number of samples, or one is outside `extents` or `multiples`.
  public init?(width: Extent, height: Extent) {
    let stated = [width, height].compactMap { if case .samples(let count) = $0 { count } else { nil } }
    let multiples = [width, height].compactMap { if case .ratio(let multiple) = $0 { multiple } else { nil } }
    guard !stated.isEmpty, stated.allSatisfy(Self.extents.contains), multiples.allSatisfy(Self.multiples.contains)
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let (width, height) = (
      try values.decode(Extent.self, forKey: .width), try values.decode(Extent.self, forKey: .height)
    )
    guard let scaling = PictureScaling(width: width, height: height) else {
      throw DecodingError.dataCorruptedError(
        forKey: .width, in: values, debugDescription: "\(width) and \(height) are not a picture size.")
    }
    self = scaling
  }

  private init(swapping other: PictureScaling) { (width, height) = (other.height, other.width) }

  /// The same with axes swapped.
  public var transposed: PictureScaling { PictureScaling(swapping: self) }

  /// The scaled size of a picture, computed like ffmpeg's `scale`, from samples regardless of their aspect ratio.
  package func size(of source: Size) -> Size {
    switch (width, height) {
    case (.samples(let width), .samples(let height)): Size(width: width, height: height)
    case (.samples(let width), .ratio(let multiple)):
      Size(width: width, height: Self.follow(width, source.height, source.width, multiple))
    case (.ratio(let multiple), .samples(let height)):
      Size(width: Self.follow(height, source.width, source.height, multiple), height: height)
    case (.ratio, .ratio): source
    }
  }

  /// `extent` times `numerator` / `denominator` to the nearest multiple, halves rounded up.
  private static func follow(_ extent: Int, _ numerator: Int, _ denominator: Int, _ multiple: Int) -> Int {
    let divisor = 2 * max(denominator, 1) * max(multiple, 1)
    return (2 * extent * numerator + divisor / 2) / divisor * multiple
  }

  /// Sample aspect ratio that preserves the shape of the whole picture.
  /// - Parameters:
  ///   - ratio: Sample aspect ratio of the source; nil: not stated, and assumed to be square.
  ///   - source: The source's size.
  /// - Returns: nil if nothing was stated and samples stay square but for rounding.
  public func sampleAspectRatio(_ ratio: Rational?, of source: Size) -> Rational? {
    guard case (.samples, .samples) = (width, height) else {
      return ratio.map { Self.scaled($0, source, size(of: source)) }
    }
    let scaled = Self.scaled(ratio ?? Rational(1, 1), source, size(of: source))
    return ratio == nil && scaled == Rational(1, 1) ? nil : scaled
  }

  private static func scaled(_ ratio: Rational, _ source: Size, _ target: Size) -> Rational {
    let (numerator, overflow) = (ratio.numerator * source.width).multipliedReportingOverflow(by: target.height)
    let (denominator, other) = (ratio.denominator * source.height).multipliedReportingOverflow(by: target.width)
    guard !overflow, !other, numerator > 0, denominator > 0 else { return ratio }
    return Rational(reducing: numerator, denominator)
  }
}

extension Rational {
  /// In lowest terms, both positive; approximate if a term does not fit in 32 bits.
  fileprivate init(reducing numerator: Int, _ denominator: Int) {
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    var (top, bottom) = (numerator / a, denominator / a)
    while top > Int(Int32.max) || bottom > Int(Int32.max) { (top, bottom) = (max(top / 2, 1), max(bottom / 2, 1)) }
    self.init(top, bottom)
  }
}
