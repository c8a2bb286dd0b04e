internal import FFmpegIO
public import Frames
public import Media

/// The container and the encoder of a video output.
public struct CodingRequest: DefaultedRequest, Hashable, Codable {
  /// A named option.
  public struct Option: Sendable, Hashable, Codable {
    /// The encoder's or the container's name of the option.
    public var name: String
    /// Its value, in the syntax of the encoder or the container.
    public var value: String

    /// An option by name.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// Options of a specific encoder.
  public struct OwnOptions: Sendable, Hashable, Codable {
    /// An encoder with its own options.
    public enum Library: String, Sendable, Hashable, Codable, CaseIterable {
      /// H.264.
      case x264
      /// HEVC.
      case x265
      /// AV1.
      case svtAV1
    }

    /// The encoder.
    public var library: Library
    /// The options.
    public var options: [Option]

    /// Options of an encoder.
    public init(_ library: Library, _ options: [Option]) { (self.library, self.options) = (library, options) }
  }

  /// FFmpeg's name of the container; nil: determined by the output name.
  public var format: String?
  /// FFmpeg's name of the encoder, or the name of its codec or library; nil: the container's default.
  public var encoder: String?
  /// Device node of a hardware encoder; nil: the first.
  public var hardwareDevice: String?
  /// Preset of the encoder.
  public var preset: String?
  /// Constant quality (CRF) on the encoder's scale.
  public var crf: Double?
  /// Limits on the bit rate.
  public var rate = RateControl()
  /// nil: none, unless accuracy requires some.
  public var encoderOptions: [Option]?
  /// Options of a specific encoder, which are an error with another one. They take precedence over `encoderOptions`.
  public var ownOptions: [OwnOptions] = []
  /// Options of the container.
  public var muxerOptions: [Option] = []
  /// nil: a suitable one for the transfer function and the encoder.
  public var layout: PixelLayout?

  public static let defaults = CodingRequest()

  /// The container's defaults.
  public init() {}

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for contradictory values.
  public func validate() throws(Refusal) {
    try CodingOptions.check(self)
    for (parameter, name) in [(Parameter.encoder, encoder), (.preset, preset)] where name?.isEmpty == true {
      throw .invalid("empty-name", "\(parameter) needs a name: omit the option for the default.")
    }
    if encoder == "copy" {
      throw .invalid(
        "video-not-copied",
        "Video is always encoded, so \(.encoder, "copy") does not exist: name an encoder, or copy the film with "
          + "ffmpeg -c copy.")
    }
    try checkScale(of: namedEncoder)
    try checkDevice()
    try rate.validate()
  }

  /// Checks that the device belongs to the encoder.
  private func checkDevice() throws(Refusal) {
    guard let hardwareDevice else { return }
    guard let hardware = namedEncoder.flatMap(HardwareEncoder.init) else {
      throw .invalid(
        "device-without-hardware-encoder",
        "\(.hardwareDevice) is only for hardware encoders, and \(encoder ?? "the default encoder") is not one: name "
          + "one with \(.encoder), such as hevc_vaapi.")
    }
    if !hardware.takes(device: hardwareDevice) {
      throw .invalid(
        "no-such-graphics-processor",
        "NVENC has no device '\(hardwareDevice)': \(.hardwareDevice) is the number of a graphics processor, from 0, as "
          + "CUDA counts them.")
    }
  }
}

extension RateControl {
  /// - Throws: `Refusal` for contradictory values.
  fileprivate func validate() throws(Refusal) {
    if let average, let maximum, maximum < average {
      throw .invalid(
        "maximum-below-bit-rate",
        "\(.maxBitrate, maximum.rateWords) is below \(.bitrate, average.rateWords): a maximum is at least the average.")
    }
    if isTwoPass, average == nil {
      throw .invalid(
        "two-passes-without-bit-rate",
        "\(.twoPass) distributes a bit rate over the film: add \(.bitrate). With \(.crf), one pass does the same.")
    }
  }
}

extension Int {
  /// The rate in the syntax of requests: "8M", "4500k".
  fileprivate var rateWords: String {
    isMultiple(of: 1_000_000) ? "\(self / 1_000_000)M" : isMultiple(of: 1000) ? "\(self / 1000)k" : "\(self)"
  }
}
