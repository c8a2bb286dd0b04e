package import Frames

/// What the pictures of interlaced video become.
public enum Deinterlacing: String, Sendable, Hashable, Codable, CaseIterable {
  /// A frame each, at the moment of the first field.
  case frame
  /// A frame for each of their two fields, at twice the rate.
  case field

  /// Frames that an interlaced picture becomes.
  public var framesPerPicture: Int { self == .field ? 2 : 1 }
}

extension VideoStreamInfo {
  /// The stream once it is deinterlaced.
  package func deinterlaced(_ deinterlacing: Deinterlacing) -> VideoStreamInfo {
    var video = self
    if video.isInterlaced { video.fieldOrder = "progressive" }
    guard deinterlacing == .field else { return video }
    video.timeBase = timeBase.halved
    (video.averageFrameRate, video.realFrameRate) = (averageFrameRate?.doubled, realFrameRate?.doubled)
    return video
  }
}

extension Rational {
  /// Half of the value.
  package var halved: Rational {
    numerator.isMultiple(of: 2) ? Rational(numerator / 2, denominator) : Rational(numerator, denominator * 2)
  }

  /// Twice the value.
  package var doubled: Rational {
    denominator.isMultiple(of: 2) ? Rational(numerator, denominator / 2) : Rational(numerator * 2, denominator)
  }
}
