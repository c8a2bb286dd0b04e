internal import ArgumentParser
internal import FFmpegIO
internal import Frames

/// What is known of the light of the input, and what an HDR output says about its own.
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

  /// The input is to be measured first.
  var measures: Bool { measured == nil && peakDetect }

  /// What will be coded is to be measured first.
  var measuresOutput: Bool { if case .measure = maxCLL { true } else { false } }

  /// - Throws: `CommandFailure` where the input has to be read twice and cannot be.
  func check(input: String) throws {
    guard measures || measuresOutput, !MediaReader.isRepeatable(url: input) else { return }
    let option = measuresOutput ? "--max-cll measure" : "--peak-detect"
    throw CommandFailure(
      "'\(input)' is a pipe or device, which cannot be read twice, and \(option) takes a pass of its own: write the input "
        + "to a file first\(measuresOutput ? "" : ", or give --measured what `headroom measure` says of it").", .usage)
  }

  func validate() throws {
    if measured != nil, peakDetect {
      throw ValidationError("--measured and --peak-detect exclude each other: the file says what a pass would measure.")
    }
  }
}
