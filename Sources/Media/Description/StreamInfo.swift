public import Frames

/// Description of a stream, as stated in the file.
public struct StreamInfo: Sendable, Hashable, Codable {
  /// The kind of data in a stream.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// FFmpeg's media types.
    case video, audio, subtitle, data, attachment, unknown
  }

  /// Index in the file, from 0.
  public var index: Int
  /// The kind of data in the stream.
  public var kind: Kind
  /// FFmpeg's short name of the codec: "hevc".
  public var codecName: String
  /// FFmpeg's long name of the codec: "H.265 / HEVC (High Efficiency Video Coding)".
  public var codecLongName: String?
  /// FFmpeg's name of the codec's profile: "Main 10"; nil if unknown.
  public var profile: String?
  /// Level number of the codec (HEVC: thirty times the level); nil if it has none.
  public var level: Int?
  /// Four-character code in the container, printable characters only.
  public var codecTag: String?
  /// As tagged, usually three letters of ISO 639-2; nil if untagged.
  public var language: String?
  /// The tag "title"; nil: none.
  public var title: String?
  /// Names as in ffprobe: "default", "attached_pic", ...
  public var dispositions: [String]
  /// Length of one unit of the stream's times in seconds.
  public var timeBase: Rational
  /// Time of the first packet in units of `timeBase`.
  public var startTime: Int64?
  /// In units of `timeBase`.
  public var duration: Int64?
  /// Number of frames according to the container.
  public var frameCount: Int?
  /// In bits per second.
  public var bitRate: Int?
  /// Names of the side data on the stream.
  public var sideData: [String]
  /// Properties of a video stream; nil for other kinds.
  public var video: VideoStreamInfo?
  /// Properties of an audio stream; nil for other kinds.
  public var audio: AudioStreamInfo?

  /// Unless specified, properties are unknown.
  public init(
    index: Int, kind: Kind, codecName: String, codecLongName: String? = nil, profile: String? = nil, level: Int? = nil,
    codecTag: String? = nil, language: String? = nil, title: String? = nil, dispositions: [String] = [],
    timeBase: Rational, startTime: Int64? = nil, duration: Int64? = nil, frameCount: Int? = nil, bitRate: Int? = nil,
    sideData: [String] = [], video: VideoStreamInfo? = nil, audio: AudioStreamInfo? = nil
  ) {
    self.index = index
    self.kind = kind
    self.codecName = codecName
    self.codecLongName = codecLongName
    self.profile = profile
    self.level = level
    self.codecTag = codecTag
    self.language = language
    self.title = title
    self.dispositions = dispositions
    self.timeBase = timeBase
    self.startTime = startTime
    self.duration = duration
    self.frameCount = frameCount
    self.bitRate = bitRate
    self.sideData = sideData
    self.video = video
    self.audio = audio
  }

  /// Duration in seconds.
  public var seconds: Double? { duration.map { Double($0) * timeBase.value } }
}

/// Description of a video stream, as stated in the file.
public struct VideoStreamInfo: Sendable, Hashable, Codable {
  /// Index of the stream in the file, from 0.
  public var index: Int
  /// The decoded picture in luma samples, cropped to `aperture`, before any rotation.
  public var size: Size
  /// The area of the coded picture that the container shows, to which a reader crops; nil: all of it.
  public var aperture: PictureCrop?
  /// FFmpeg's name of the stored format ("yuv420p10le"); nil if unknown.
  public var pixelFormatName: String?
  /// Layout of the frames that a reader delivers; nil if it cannot deliver any.
  public var layout: PixelLayout?
  /// Significant bits per sample as stored.
  public var bitDepth: Int?
  /// The tags that H.273 defines.
  public var color: ColorTags
  /// Name of the primaries as in ffprobe ("bt2020"); nil: "unknown".
  public var primariesName: String?
  /// Name of the transfer characteristics as in ffprobe ("smpte2084"); nil: "unknown".
  public var transferName: String?
  /// Name of the matrix as in ffprobe ("bt2020nc"); nil: "unknown".
  public var matrixName: String?
  /// Name of the range as in ffprobe ("tv", "pc"); nil: "unknown".
  public var rangeName: String?
  /// Name of the chroma siting as in ffprobe ("topleft"); nil: "unspecified".
  public var chromaLocationName: String?
  /// "progressive", "tt", "bb", "tb" or "bt"; nil: "unknown".
  public var fieldOrder: String?
  /// Sample aspect ratio; nil if not stated.
  public var sampleAspectRatio: Rational?
  /// Average frame rate of the stream; nil if unknown.
  public var averageFrameRate: Rational?
  /// The lowest frame rate that fits every timestamp; nil if unknown.
  public var realFrameRate: Rational?
  /// The average frame rate, or the real one if they differ only by rounding.
  public var frameRate: Rational? {
    guard let mean = averageFrameRate, let real = realFrameRate else { return averageFrameRate ?? realFrameRate }
    return abs(mean.value / real.value - 1) <= Self.rateTolerance ? real : mean
  }
  /// Half the distance from 24000/1001 to 24.
  public static let rateTolerance = 0.0005
  /// Length of one unit of the stream's times in seconds.
  public var timeBase: Rational
  /// How the picture is rotated for display; nil: not at all.
  public var displayMatrix: DisplayMatrix?
  /// Stereoscopic packing and spherical projection.
  public var projection: [StreamSideData]
  /// Metadata of the container or the parameter sets; frames may add to it.
  public var metadata: HDRMetadata

  /// Unless specified, properties are unknown.
  public init(
    index: Int, size: Size, pixelFormatName: String? = nil, layout: PixelLayout? = nil, bitDepth: Int? = nil,
    color: ColorTags, primariesName: String? = nil, transferName: String? = nil, matrixName: String? = nil,
    rangeName: String? = nil, chromaLocationName: String? = nil, fieldOrder: String? = nil,
    sampleAspectRatio: Rational? = nil, averageFrameRate: Rational? = nil, realFrameRate: Rational? = nil,
    timeBase: Rational, displayMatrix: DisplayMatrix? = nil, projection: [StreamSideData] = [], metadata: HDRMetadata
  ) {
    self.index = index
    self.size = size
    self.pixelFormatName = pixelFormatName
    self.layout = layout
    self.bitDepth = bitDepth
    self.color = color
    self.primariesName = primariesName
    self.transferName = transferName
    self.matrixName = matrixName
    self.rangeName = rangeName
    self.chromaLocationName = chromaLocationName
    self.fieldOrder = fieldOrder
    self.sampleAspectRatio = sampleAspectRatio
    self.averageFrameRate = averageFrameRate
    self.realFrameRate = realFrameRate
    self.timeBase = timeBase
    self.displayMatrix = displayMatrix
    self.projection = projection
    self.metadata = metadata
  }

  /// Whether the field order is that of interlaced video.
  public var isInterlaced: Bool { fieldOrder.map { $0 != "progressive" } ?? false }
  /// Whether the frame rate varies, as far as the container states it.
  public var hasVariableRate: Bool {
    guard let mean = averageFrameRate?.value, let real = realFrameRate?.value else { return false }
    return abs(mean / real - 1) > 0.01
  }
  /// Degrees counterclockwise, as ffprobe's `rotation`; 0 without a display matrix.
  public var rotation: Double { displayMatrix?.rotation ?? 0 }
}

/// Description of an audio stream, as stated in the file.
public struct AudioStreamInfo: Sendable, Hashable, Codable {
  /// In hertz.
  public var sampleRate: Int
  /// Number of channels.
  public var channels: Int
  /// "stereo", "5.1", ...
  public var layout: String?
  /// FFmpeg's name of the decoded sample format: "fltp", "s16".
  public var sampleFormat: String?

  /// Sample rate in hertz; the layout by FFmpeg's name.
  public init(
    sampleRate: Int, channels: Int, layout: String? = nil, sampleFormat: String? = nil
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.layout = layout
    self.sampleFormat = sampleFormat
  }
}

/// Side data of a stream, passed from reader to writer unchanged.
public struct StreamSideData: Sendable, Hashable, Codable {
  /// FFmpeg's number of its type.
  package let type: UInt32
  package let bytes: [UInt8]

  package init(type: UInt32, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }
}
