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
      "Measurement of the input by `headroom measure`, used in place of its MaxCLL.", valueName: "file"))
  var measured: String?

  @Flag(help: "Measure the input in a pass of its own, and map what was measured instead of what its metadata says.")
  var peakDetect = false

  @Option(
    help: ArgumentHelp(
      "Mastering display of an HDR10 output: copy, or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in x265's integers (0.00002, "
        + "0.0001 cd/m²) or in decimals (default: what is true of the output).", valueName: "copy|value"))
  var masterDisplay: MasterDisplay?

  @Option(
    name: .customLong("max-cll"),
    help: ArgumentHelp(
      "MaxCLL and MaxFALL of an HDR10 output: copy, measure (what is coded, in a pass of its own), or \"cll,fall\" in "
        + "cd/m² (default: the input's where nothing is asked of its light, else light that nothing exceeds, and MaxFALL "
        + "unknown).", valueName: "copy|measure|value"))
  var maxCLL: MaxCLL?

  var request: MetadataRequest {
    var request = MetadataRequest()
    request.inputLight = measured.map { .file($0) } ?? (peakDetect ? .measured : nil)
    (request.masteringDisplay, request.contentLight) = (masterDisplay?.choice, maxCLL?.choice)
    return request
  }

  func validate() throws {
    if measured != nil, peakDetect {
      throw ValidationError(
        "--measured cannot be combined with --peak-detect: the file says what a pass would measure.")
    }
  }
}
