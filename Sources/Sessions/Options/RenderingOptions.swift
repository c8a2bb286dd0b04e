internal import Rendering

/// Rendering of frames: dynamic metadata and dithering.
public enum RenderingOptions: OptionTable {
  public static let options: [RequestOption<RenderingRequest>] = [
    RequestOption(
      .dynamicMetadata, \.usesDynamicMetadata, .named([("use", true), ("ignore", false)], "use|ignore"),
      "HDR10+ and ST 2094-50 of the input: use them for the mapping, or go by static metadata alone."),
    RequestOption(flag: .dither, \.dithers, isToggle: true, "Dither eight-bit output."),
  ]
}

/// Threads and kernels.
public enum ProcessingOptions: OptionTable {
  public static let options: [RequestOption<ProcessingRequest>] = [
    RequestOption(
      .threads, \.threads, .count(1...256), "Threads for decoding and rendering; any number gives the same result.",
      default: "one for each processor"),
    RequestOption(.kernels, \.kernels, .choice("tier"), "Highest instruction-set tier of the pixel kernels."),
  ]
}
