public import ArgumentParser
public import Capture
internal import Frames
internal import Sessions

/// The setup of a capture device.
struct CaptureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pixel format of the device: P010, NV12, YUYV, MJPG, ... (most bits, then widest gamut, at full rate).",
      valueName: "fourcc"))
  var format: FourCC?

  @Option(
    help: ArgumentHelp("Size of the device's pictures (the signal's, or the current setting).", valueName: "WxH"))
  var size: Size?

  @Option(
    help: ArgumentHelp("Frames per second of the device: N, N/M or a decimal (its maximum).", valueName: "rate"))
  var rate: FrameRate?

  @Option(help: ArgumentHelp("Number of the device's input (the selected one).", valueName: "n"))
  var channel: Int?

  @Flag(help: "Wait for a device that is unplugged, and continue when it is back.")
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
