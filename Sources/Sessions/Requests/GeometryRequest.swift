public import Frames
public import Media

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
  /// Sample aspect ratio of the output; nil: the input's, adapted to `scale`.
  public var sampleAspect: Rational?
  /// Pixels are rotated as the input's metadata specifies; otherwise the player does it.
  public var bakesRotation = false

  public static let defaults = GeometryRequest()
  /// Pictures as they are to be seen.
  static let upright: GeometryRequest = {
    var request = GeometryRequest()
    request.bakesRotation = true
    return request
  }()

  /// Pictures as they are.
  public init() {}

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try GeometryOptions.check(self)
    if cropLimit != nil, crop != .automatic {
      throw .invalid("crop-limit-without-search", "\(.cropLimit) is for \(.crop, "auto").")
    }
  }
}
