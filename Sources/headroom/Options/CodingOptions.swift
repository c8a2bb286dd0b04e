internal import ArgumentParser
internal import Frames
internal import Media
internal import Sessions

/// The container and the encoder of a video output.
struct CodingOptions: ParsableArguments {
  @Option(
    name: .customShort("f"),
    help: ArgumentHelp(
      "Container, by its ffmpeg name (mp4, mov, matroska, nut, yuv4mpegpipe, null, framemd5, ...).",
      valueName: "format"))
  var format: String?

  @Option(
    name: .customLong("c:v", withSingleDash: true),
    help: ArgumentHelp("Video encoder, by its ffmpeg name, or hevc, h264, av1, vp9, x265, ...", valueName: "encoder"))
  var encoder: String?

  @Option(
    name: .customLong("hw-device"),
    help: ArgumentHelp(
      "Device of a hardware encoder, such as /dev/dri/renderD129 (the first). headroom doctor lists encoders.",
      valueName: "path"))
  var hardwareDevice: String?

  @Option(help: ArgumentHelp("The encoder's preset.", valueName: "name"))
  var preset: String?

  @Option(help: ArgumentHelp("Constant quality, on the encoder's scale.", valueName: "q"))
  var crf: Double?

  @OptionGroup var rate: RateOptions

  @Option(
    help: ArgumentHelp(
      "Further encoder options, by the encoder's own names (x264: keyint, x265: aq-mode, ...).", valueName: "k=v:k=v"))
  var encoderOptions: OptionList?

  @Option(
    name: .customLong("x264-params", withSingleDash: true),
    help: ArgumentHelp("Options of x264, as for ffmpeg; an error with another encoder.", valueName: "k=v:k=v"))
  var x264Params: OptionList?

  @Option(
    name: .customLong("x265-params", withSingleDash: true),
    help: ArgumentHelp("Options of x265, as for ffmpeg; an error with another encoder.", valueName: "k=v:k=v"))
  var x265Params: OptionList?

  @Option(
    name: .customLong("svtav1-params", withSingleDash: true),
    help: ArgumentHelp("Options of SVT-AV1, as for ffmpeg; an error with another encoder.", valueName: "k=v:k=v"))
  var svtav1Params: OptionList?

  @Option(
    help: ArgumentHelp(
      "Options of the container, by their ffmpeg names (mp4: movflags, matroska: reserve_index_space, ...).",
      valueName: "k=v:k=v"))
  var muxerOptions: OptionList?

  @Option(
    help: ArgumentHelp(
      "Pixel format, by its ffmpeg name (yuv420p, yuv420p10le, yuv422p10le, yuv444p, gbrp10le, gray10le, ...).",
      valueName: "name"))
  var pixelFormat: String?

  func validate() throws {
    if let pixelFormat, PixelLayout(name: pixelFormat) == nil {
      throw ValidationError(
        "The pixel format '\(pixelFormat)' cannot be written: use one of "
          + PixelLayout.outputs.map(\.name).joined(separator: ", ") + ".")
    }
    try validated { try request.validate() }
  }

  var request: CodingRequest {
    var request = CodingRequest()
    (request.format, request.encoder, request.preset, request.crf) = (format, encoder, preset, crf)
    request.hardwareDevice = hardwareDevice
    request.rate = rate.value
    request.encoderOptions = encoderOptions?.options
    let own: [(CodingRequest.OwnOptions.Library, OptionList?)] = [
      (.x264, x264Params), (.x265, x265Params), (.svtAV1, svtav1Params),
    ]
    request.ownOptions = own.compactMap { library, list in list.map { .init(library, $0.options) } }
    request.muxerOptions = muxerOptions?.options ?? []
    request.layout = pixelFormat.flatMap(PixelLayout.init(name:))
    return request
  }
}

/// Bounds on the bit rate of a video output.
struct RateOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Average bit rate instead of constant quality: 8M, 4500k, or bit/s.", valueName: "rate"))
  var bitrate: BitRateArgument?

  @Option(
    help: ArgumentHelp("Maximum bit rate, beside --bitrate or, with x264, x265 and SVT-AV1, --crf.", valueName: "rate"))
  var maxBitrate: BitRateArgument?

  @Option(
    help: ArgumentHelp(
      "Size in bits of the decoder's buffer that --max-bitrate fills (one second of it).", valueName: "size"))
  var bufferSize: BitRateArgument?

  @Flag(help: "With --bitrate: encode everything twice, so that bits go where they are needed (x264, x265, ...).")
  var twoPass = false

  var value: RateControl {
    var rate = RateControl()
    (rate.average, rate.maximum, rate.buffer) = (bitrate?.bits, maxBitrate?.bits, bufferSize?.bits)
    rate.isTwoPass = twoPass
    return rate
  }
}
