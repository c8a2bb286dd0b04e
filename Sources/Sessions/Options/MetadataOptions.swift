internal import FFmpegIO
internal import Frames

/// Known properties of the input's light, and metadata of an HDR output.
public enum MetadataOptions: OptionTable {
  public static let options: [RequestOption<MetadataRequest>] = [
    RequestOption(
      .measured, \.measuredFile, .text("file"),
      "Measurement of the input by `headroom measure`, used instead of its MaxCLL.", .isOfSingleRun,
      excludes: [.peakDetection, .peakPercentile]),
    RequestOption(
      flag: .peakDetection, \.measuresInput,
      "Measure the input in a separate pass, and map by what was measured instead of its metadata.",
      excludes: [.measured]),
    RequestOption(
      .peakPercentile, \.detectedPercentile, .number("50...100", 50...100),
      "\(.peakDetection) by the light that this percentage of a frame's pixels do not exceed: a few brighter ones are "
        + "clipped.", default: "\(MetadataRequest.defaultPeakPercentile)", excludes: [.measured]),
    RequestOption(
      .masteringDisplay, \.masteringDisplay, .masteringDisplay,
      "Mastering display of an HDR10 output: copy, or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in x265's integers (0.00002, "
        + "0.0001 cd/m²) or in decimals.", default: "values that match the output"),
    RequestOption(
      .contentLight, \.contentLight, .contentLight,
      "MaxCLL and MaxFALL of an HDR10 output: copy, measure (the coded light, in a separate pass), or \"cll,fall\" in "
        + "cd/m².", default: "the input's if its range is not changed, else an upper bound, and MaxFALL unknown"),
  ]
}

extension MetadataRequest {
  /// File of a measurement.
  fileprivate var measuredFile: String? {
    get { if case .file(let name) = inputLight { name } else { nil } }
    set { inputLight = newValue.map { .file($0) } }
  }

  /// A percentile selects the measurement that it belongs to.
  fileprivate var detectedPercentile: Double? {
    get { peakPercentile }
    set { (peakPercentile, inputLight) = (newValue, .measured) }
  }
}

extension OptionValue where Value == MetadataRequest.MasteringDisplayChoice {
  fileprivate static var masteringDisplay: OptionValue {
    OptionValue(
      "copy|value", expected: "copy, or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)",
      parse: { $0 == "copy" ? .copied : MasteringDisplay(text: $0).map { .value($0) } },
      text: { if case .value(let display) = $0 { display.integerText } else { "copy" } })
  }
}

extension OptionValue where Value == MetadataRequest.ContentLightChoice {
  fileprivate static var contentLight: OptionValue {
    OptionValue(
      "copy|measure|value", expected: "copy, measure, or two whole numbers up to 10000, as 1000,400",
      parse: { text in
        switch text {
        case "copy": .copied
        case "measure": .measured
        default: ContentLight(text: text).map { .value($0) }
        }
      },
      text: { choice in
        switch choice {
        case .copied: "copy"
        case .measured: "measure"
        case .value(let light): light.text
        }
      })
  }
}
