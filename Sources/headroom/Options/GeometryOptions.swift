public import ArgumentParser
internal import Frames
public import Media
public import Sessions

/// How pictures are deinterlaced and cropped, before they are scaled.
struct GeometryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Deinterlace pictures that are flagged as interlaced, with FFmpeg's bwdif: to a frame each (frame), or to a frame "
        + "for each field, at twice the rate (field).", valueName: "mode"))
  var deinterlace: Deinterlacing?

  @Option(
    help: ArgumentHelp(
      "Keep a part of the picture, before scaling: width, height, and the place of its top left (without X:Y the middle); "
        + "auto leaves out the black bars that all selected frames have, for which the input is read an extra time.",
      valueName: "W:H:X:Y|auto"))
  var crop: CropRequest?

  @Option(
    help: ArgumentHelp(
      "Signal up to which --crop auto takes a sample for black, as a share of the nominal range: more for noise, less for a "
        + "dark film (0.0625, 14 eight-bit codes).", valueName: "signal"))
  var cropLimit: Double?

  func validate() throws {
    if cropLimit != nil, crop != .automatic { throw ValidationError("--crop-limit is for --crop auto.") }
  }
}

extension Deinterlacing: ExpressibleByArgument {}

extension CropRequest: ExpressibleByArgument {
  /// "W:H:X:Y" or "W:H" as ffmpeg's filter takes them, or "auto".
  public init?(argument: String) {
    if argument == "auto" {
      self = .automatic
      return
    }
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
    guard numbers.count == parts.count, numbers.prefix(2).allSatisfy({ $0 > 0 }) else { return nil }
    switch numbers.count {
    case 2: self = .centered(Size(width: numbers[0], height: numbers[1]))
    case 4: self = .area(PictureArea(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1]))
    default: return nil
    }
  }
}
