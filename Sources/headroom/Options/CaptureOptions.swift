public import ArgumentParser
public import Capture
internal import Frames
internal import Sessions

/// How a capture device is set up.
struct CaptureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pixel format of the device: P010, NV12, YUYV, MJPG, ... (the most bits, then the widest gamut, at its full rate).",
      valueName: "fourcc"))
  var format: FourCC?

  @Option(
    help: ArgumentHelp("Size of the device's pictures (that of the signal, or what it is set to).", valueName: "WxH"))
  var size: Size?

  @Option(
    help: ArgumentHelp("Frames per second of the device: N, N/M or a decimal (the most it has).", valueName: "rate"))
  var rate: FrameRate?

  @Option(help: ArgumentHelp("Number of the device's input (the one that is selected).", valueName: "n"))
  var channel: Int?

  @Flag(help: "Wait for a device that is unplugged, and go on when it is back.")
  var wait = false

  var request: CaptureRequest {
    var request = CaptureRequest()
    (request.format, request.size, request.rate) = (format, size, rate?.value)
    (request.channel, request.waits) = (channel, wait)
    return request
  }
}

extension FourCC: ExpressibleByArgument {
  public init?(argument: String) { self.init(characters: argument) }
}
