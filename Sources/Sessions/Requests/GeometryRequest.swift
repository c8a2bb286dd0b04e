public import Compositing
public import Frames
public import Media
internal import ToneMapping

/// How pictures are deinterlaced, cropped, scaled and rotated, in this order.
public struct GeometryRequest: DefaultedRequest, Hashable, Codable {
  /// What interlaced pictures become; nil: their fields are processed separately, and stay.
  public var deinterlacing: Deinterlacing?
  /// The part of the picture that is kept; nil: all of it.
  public var crop: CropRequest?
  /// Signal, of the nominal range, up to which a sample is black for `CropRequest.automatic`; nil: `CropRequest.blackSignal`.
  public var cropLimit: Double?
  /// Size of the output; nil: that of what is kept of the input.
  public var scale: PictureScaling?
  /// A border around what is scaled; nil: none.
  public var padding: Padding?
  /// Sample aspect ratio of the output; nil: the input's, adapted to `scale`.
  public var sampleAspect: Rational?
  /// Pixels are rotated as the input's metadata specifies; otherwise the player does it.
  public var bakesRotation = false

  /// A border around the picture.
  public struct Padding: Sendable, Hashable, Codable {
    /// Size of the output.
    public var size: Size
    /// Columns left of the picture and rows above it; nil: the picture is in the middle.
    public var origin: Origin?
    /// Colour of the border.
    public var color = Background.black

    /// Where the picture begins.
    public struct Origin: Sendable, Hashable, Codable {
      /// Columns of the border on the left.
      public var x: Int
      /// Rows of the border on top.
      public var y: Int

      /// A place in the output.
      public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// Black around the middle.
    public init(_ size: Size) { self.size = size }
  }

  public static let defaults = GeometryRequest()
  /// Pictures as they are to be seen.
  package static let upright: GeometryRequest = {
    var request = GeometryRequest()
    request.bakesRotation = true
    return request
  }()

  /// Pictures as they are.
  public init() {}

  /// The most light in cd/m² that a border adds to PQ; nil: it is black.
  var borderLight: Double? {
    guard let light = padding?.color.light.max(), light > 0 else { return nil }
    return light * ToneConditions.defaultReferenceWhite
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try GeometryOptions.check(self)
    if cropLimit != nil, crop != .automatic {
      throw .invalid("crop-limit-without-search", "\(.cropLimit) is for \(.crop, "auto").")
    }
  }
}
