package import Frames

/// How interlaced pictures are deinterlaced.
public enum Deinterlacing: String, Sendable, Hashable, Codable, CaseIterable {
  /// One frame per picture, at the time of the first field.
  case frame
  /// One frame per field, at twice the rate.
  case field

  /// Frames per interlaced picture.
  public var framesPerPicture: Int { self == .field ? 2 : 1 }
}

extension VideoStreamInfo {
  /// The stream after deinterlacing.
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
  /// Half the value.
  package var halved: Rational {
    numerator.isMultiple(of: 2) ? Rational(numerator / 2, denominator) : Rational(numerator, denominator * 2)
  }

  /// Twice the value.
  package var doubled: Rational {
    denominator.isMultiple(of: 2) ? Rational(numerator, denominator / 2) : Rational(numerator * 2, denominator)
  }
}
