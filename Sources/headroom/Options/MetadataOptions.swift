internal import ArgumentParser
internal import FFmpegIO
internal import Frames

/// What an HDR output says about its light.
struct MetadataOptions: ParsableArguments {
  /// A mastering display to write.
  enum MasterDisplay: ExpressibleByArgument {
    case copy
    case value(MasteringDisplay)

    init?(argument: String) {
      if argument == "copy" {
        self = .copy
      } else if let display = MasteringDisplay(text: argument) {
        self = .value(display)
      } else {
        return nil
      }
    }
  }

  /// MaxCLL and MaxFALL to write.
  enum MaxCLL: ExpressibleByArgument {
    case copy
    case measure
    case value(ContentLight)

    init?(argument: String) {
      switch argument {
      case "copy": self = .copy
      case "measure": self = .measure
      default:
        guard let light = ContentLight(text: argument) else { return nil }
        self = .value(light)
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Mastering display of an HDR10 output: copy, or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in x265's integers (0.00002, "
        + "0.0001 cd/m²) or in decimals (default: what is true of the output).", valueName: "copy|value"))
  var masterDisplay: MasterDisplay?

  @Option(
    name: .customLong("max-cll"),
    help: ArgumentHelp(
      "MaxCLL and MaxFALL of an HDR10 output: copy, measure (a pass of its own), or \"cll,fall\" in cd/m² (default: "
        + "what is true of the output).", valueName: "copy|measure|value"))
  var maxCLL: MaxCLL?
}
