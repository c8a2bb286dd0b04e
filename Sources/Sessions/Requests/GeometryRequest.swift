public import Compositing
public import Frames
public import Media
internal import ToneMapping

/// Deinterlacing, cropping, scaling and rotation of pictures, in this order.
public struct GeometryRequest: DefaultedRequest, Hashable, Codable {
  /// Deinterlacing of interlaced pictures; nil: fields are kept, and processed separately.
  public var deinterlacing: Deinterlacing?
  /// The area to keep; nil: all of the picture.
  public var crop: CropRequest?
  /// Signal, in the nominal range, up to which a sample counts as black for `CropRequest.automatic`; nil:
  /// `CropRequest.blackSignal`.
  public var cropLimit: Double?
  /// Size of the output; nil: the cropped size.
  public var scale: PictureScaling?
  /// A border around the scaled picture; nil: none.
  public var padding: Padding?
  /// Sample aspect ratio of the output; nil: the input's, adapted to `scale`.
  public var sampleAspect: Rational?
  /// Rotates pixels according to the input's metadata; otherwise the player does it.
  public var bakesRotation = false

  /// A border around the picture.
  public struct Padding: Sendable, Hashable, Codable {
    /// Size of the output.
    public var size: Size
    /// Columns left of the picture and rows above it; nil: centred.
    public var origin: Origin?
    /// Colour of the border.
    public var color = Background.black

    /// Position of the picture.
    public struct Origin: Sendable, Hashable, Codable {
      /// Columns of the border on the left.
      public var x: Int
      /// Rows of the border on top.
      public var y: Int

      /// A position in the output.
      public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// A black border around a centred picture.
    public init(_ size: Size) { self.size = size }
  }

  public static let defaults = GeometryRequest()
  /// Upright pictures.
  package static let upright: GeometryRequest = {
    var request = GeometryRequest()
    request.bakesRotation = true
    return request
  }()

  /// Pictures without changes.
  public init() {}

  /// Maximum light in cd/m² that a border adds to PQ; nil: it is black.
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
