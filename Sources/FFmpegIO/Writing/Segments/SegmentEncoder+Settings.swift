internal import ColorScience
public import Frames

extension SegmentEncoder {
  /// The stream and its settings.
  public struct Settings: Sendable, Hashable {
    /// The codec.
    public var codec: StreamCodec
    /// Size of the picture in luma samples: even, 16 to 8192.
    public var size: Size
    /// Planar Y'CbCr 4:2:0 of 8 or 10 bits.
    public var layout: PixelLayout
    /// Colour tags of the stream.
    public var color: ColorDescription
    /// Mastering display and content light, for the stream and its description.
    public var metadata = HDRMetadata()
    /// Nominal frame rate; determines the duration of frames that state none.
    public var frameRate: Rational
    /// Sample aspect ratio; nil: square.
    public var sampleAspectRatio: Rational?
    /// Threads of the encoder; 0: the encoder's choice.
    public var threads = 0
    /// Maximum seconds of the stream between key frames, even without requests.
    public var keyInterval = 2.0

    /// Other properties are optional, with their documented defaults.
    public init(
      codec: StreamCodec, size: Size, layout: PixelLayout, color: ColorDescription, frameRate: Rational
    ) {
      self.codec = codec
      self.size = size
      self.layout = layout
      self.color = color
      self.frameRate = frameRate
    }
  }
}

extension SegmentEncoder.Settings {
  private static let extents = 16...8192
  private static let rates = 0.01...1000
  /// Pictures smaller than x265's largest block need smaller blocks.
  private static let blockSize = 32

  /// The name of the stream in errors.
  var name: String { "\(codec.rawValue) stream" }

  /// - Throws: `FFmpegError.unsupportedSize`, `.unsupportedLayout`, `.encoderRejected` for the frame rate.
  func check() throws(FFmpegError) {
    let sides = [size.width, size.height]
    guard sides.allSatisfy({ Self.extents.contains($0) && $0.isMultiple(of: 2) }) else {
      throw .unsupportedSize(size, path: name)
    }
    let layouts = [8, 10].map { PixelLayout(.ycbcr420, bitDepth: $0) }
    guard layouts.contains(layout) else {
      throw .unsupportedLayout(encoder: codec.encoder, wanted: layout, supported: layouts)
    }
    guard let rate = frameRate.native, Self.rates.contains(rate.rational.value) else {
      let limits = "\(Self.rates.lowerBound) to \(Self.rates.upperBound)"
      throw .encoderRejected(encoder: codec.encoder, message: "the frame rate \(frameRate) is not \(limits)")
    }
  }

  /// Settings for `Encoder`: no delay, and key frames only on request.
  var forEncoder: MediaWriter.Settings {
    var settings = MediaWriter.Settings(
      url: name, format: "mp4", encoder: codec.encoder, size: size, layout: layout,
      timeBase: SegmentEncoder.timeBase, frameRate: frameRate, color: color)
    settings.metadata = metadata
    settings.sampleAspectRatio = sampleAspectRatio
    settings.threads = threads
    settings.crf = crf
    settings.preset = preset
    settings.encoderOptions = options
    return settings
  }

  private var preset: String {
    switch codec {
    case .h264: "superfast"
    case .hevc: "ultrafast"
    // FFmpeg's limit; the library's options go beyond it.
    case .av1: "8"
    }
  }

  /// Almost visually lossless: these streams are used to judge pictures.
  private var crf: Double {
    switch codec {
    case .h264, .hevc: 18
    case .av1: 14
    }
  }

  private var options: [(String, String)] {
    switch codec {
    case .h264: [("tune", "zerolatency"), ("keyint", "infinite"), ("scenecut", "0")]
    case .hevc:
      // FFmpeg would use `threads` as the number of frames encoded at a time. With open GOPs, requested key frames
      // would be CRA pictures.
      [
        ("tune", "zerolatency"), ("frame-threads", "1"), ("forced-idr", "1"), ("keyint", "-1"), ("scenecut", "0"),
        ("open-gop", "0"), ("info", "0"),
      ] + (min(size.width, size.height) < Self.blockSize ? [("ctu", "16")] : [])
    case .av1:
      [
        ("usage", "realtime"), ("lag-in-frames", "0"), ("row-mt", "1"), ("g", "1000000"),
        ("aom-params", "cpu-used=10:tile-columns=1:chroma-sample-position=\(color.chromaLocation.av1Text)"),
      ]
    }
  }
}
