internal import ArgumentParser
internal import ToneMapping

/// How frames are rendered: what each may say of itself, how it is rounded, and what the work is done with.
struct RenderingOptions: ParsableArguments {
  enum DynamicMetadata: String, ExpressibleByArgument, CaseIterable {
    case use, ignore
  }

  @Option(help: "HDR10+ and ST 2094-50 of the input: use them for the mapping, or go by static metadata alone.")
  var dynamicMetadata: DynamicMetadata = .use

  @Flag(inversion: .prefixedNo, help: "Dither eight-bit output.")
  var dither = true

  @OptionGroup var processing: ProcessingOptions

  /// - Throws: `ValidationError` where the mapping needs what is to be ignored.
  func validate(with mapping: MappingOptions) throws {
    if mapping.toneMap == MappingOptions.hdr10PlusCurve, dynamicMetadata == .ignore {
      throw ValidationError(
        "--tone-map \(MappingOptions.hdr10PlusCurve) is the curve of HDR10+, which --dynamic-metadata ignore leaves "
          + "out: drop one.")
    }
  }

  /// What of the input's dynamic metadata is used; nil is nothing: where it is told to, and where HDR10 is not asked to
  /// change its range.
  func sceneUse(for mapping: MappingOptions) -> SceneTracker.Use? {
    guard dynamicMetadata == .use, mapping.to != .hdr10 || mapping.peak != nil || mapping.toneMap != nil else {
      return nil
    }
    switch mapping.toneMap {
    case nil: return .everything
    case MappingOptions.hdr10PlusCurve: return .hdr10Plus
    default: return .levels
    }
  }
}
