internal import ArgumentParser
internal import FFmpegIO
internal import Frames
internal import Sessions

/// What is known about the light of the input, and what an HDR output states.
struct MetadataOptions: ParsableArguments {
  /// A mastering display to write.
  struct MasterDisplay: ExpressibleByArgument {
    let choice: MetadataRequest.MasteringDisplayChoice

    init?(argument: String) {
      if argument == "copy" {
        choice = .copied
      } else if let display = MasteringDisplay(text: argument) {
        choice = .value(display)
      } else {
        return nil
      }
    }
  }

  /// MaxCLL and MaxFALL to write.
  struct MaxCLL: ExpressibleByArgument {
    let choice: MetadataRequest.ContentLightChoice

    init?(argument: String) {
      switch argument {
      case "copy": choice = .copied
      case "measure": choice = .measured
      default:
        guard let light = ContentLight(text: argument) else { return nil }
        choice = .value(light)
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Measurement of the input by `headroom measure`, used instead of its MaxCLL.", valueName: "file"))
  var measured: String?

  @Flag(help: "Measure the input in a separate pass, and map by what was measured instead of its metadata.")
  var peakDetect = false

  @Option(
    help: ArgumentHelp(
      "--peak-detect by the light that this percentage of a frame's pixels do not exceed: a few brighter ones are clipped "
        + "(99.995).", valueName: "50...100"))
  var peakPercentile: Double?

  @Option(
    help: ArgumentHelp(
      "Mastering display of an HDR10 output: copy, or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in x265's integers (0.00002, "
        + "0.0001 cd/m²) or in decimals (default: values that match the output).", valueName: "copy|value"))
  var masterDisplay: MasterDisplay?

  @Option(
    name: .customLong("max-cll"),
    help: ArgumentHelp(
      "MaxCLL and MaxFALL of an HDR10 output: copy, measure (the coded light, in a separate pass), or \"cll,fall\" in "
        + "cd/m² (default: the input's if its range is not changed, else an upper bound, and MaxFALL unknown).",
      valueName: "copy|measure|value"))
  var maxCLL: MaxCLL?

  var request: MetadataRequest {
    var request = MetadataRequest()
    request.inputLight = measured.map { .file($0) } ?? (measuresPeak ? .measured : nil)
    request.peakPercentile = peakPercentile
    (request.masteringDisplay, request.contentLight) = (masterDisplay?.choice, maxCLL?.choice)
    return request
  }

  private var measuresPeak: Bool { peakDetect || peakPercentile != nil }

  func validate() throws {
    if measured != nil, measuresPeak {
      let option = peakDetect ? "--peak-detect" : "--peak-percentile"
      throw ValidationError("--measured cannot be combined with \(option): the file replaces that measurement.")
    }
  }
}
