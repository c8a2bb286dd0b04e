public import Frames

/// What a file says about one of its streams.
public struct StreamInfo: Sendable, Hashable {
  /// What a stream carries.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case video, audio, subtitle, data, attachment, unknown
  }

  /// Place in the file, from 0.
  public var index: Int
  public var kind: Kind
  /// FFmpeg's names: "hevc", "H.265 / HEVC (...)", "Main 10".
  public var codecName: String
  public var codecLongName: String?
  public var profile: String?
  /// The codec's own number of the level (HEVC: thirty times the level); nil where it has none.
  public var level: Int?
  /// Four-character code of the container, printable characters only.
  public var codecTag: String?
  public var language: String?
  public var title: String?
  /// Names as in ffprobe: "default", "attached_pic", ...
  public var dispositions: [String]
  public var timeBase: Rational
  /// Time of the first packet in units of `timeBase`.
  public var startTime: Int64?
  /// In units of `timeBase`.
  public var duration: Int64?
  /// Frames as the container states them.
  public var frameCount: Int?
  /// In bits a second.
  public var bitRate: Int?
  /// Names of the side data on the stream.
  public var sideData: [String]
  public var video: VideoStreamInfo?
  public var audio: AudioStreamInfo?

  /// Duration in seconds.
  public var seconds: Double? { duration.map { Double($0) * timeBase.value } }
}

/// What a file says about a stream of pictures.
public struct VideoStreamInfo: Sendable, Hashable {
  /// Place of the stream in the file, from 0.
  public var index: Int
  public var size: Size
  /// FFmpeg's name of the stored format ("yuv420p10le"); nil where it is unknown.
  public var pixelFormatName: String?
  /// Layout of the frames that a reader gives; nil where it cannot give any.
  public var layout: PixelLayout?
  /// Significant bits per sample as stored.
  public var bitDepth: Int?
  /// The tags as far as H.273 names them.
  public var color: ColorTags
  /// The tags by the names of ffprobe; nil is "unknown".
  public var primariesName: String?
  public var transferName: String?
  public var matrixName: String?
  public var rangeName: String?
  public var chromaLocationName: String?
  /// "progressive", "tt", "bb", "tb" or "bt"; nil is "unknown".
  public var fieldOrder: String?
  /// Shape of a sample, width to height; nil where not stated.
  public var sampleAspectRatio: Rational?
  /// Frames a second: the mean, and the lowest that fits every timestamp; nil where unknown.
  public var averageFrameRate: Rational?
  public var realFrameRate: Rational?
  /// Frames a second, the mean where it is known.
  public var frameRate: Rational? { averageFrameRate ?? realFrameRate }
  public var timeBase: Rational
  public var displayMatrix: DisplayMatrix?
  /// Stereoscopic packing and spherical projection.
  public var projection: [StreamSideData]
  /// What the container or the parameter sets say; frames may say more.
  public var metadata: HDRMetadata

  /// The field order names two fields.
  public var isInterlaced: Bool { fieldOrder.map { $0 != "progressive" } ?? false }
  /// The mean rate is not that of every frame, as far as the container tells.
  public var hasVariableRate: Bool {
    guard let mean = averageFrameRate?.value, let real = realFrameRate?.value else { return false }
    return abs(mean / real - 1) > 0.01
  }
  /// Degrees counterclockwise, as ffprobe's `rotation`; 0 without a display matrix.
  public var rotation: Double { displayMatrix?.rotation ?? 0 }
}

/// What a file says about a stream of sound.
public struct AudioStreamInfo: Sendable, Hashable {
  /// In hertz.
  public var sampleRate: Int
  public var channels: Int
  /// "stereo", "5.1", ...
  public var layout: String?
  public var sampleFormat: String?
}
