internal import ArgumentParser
internal import ColorScience
internal import Sessions
internal import ToneMapping

/// Overrides of the input's tags for R'G'B'.
struct InputLightOptions: ParsableArguments {
  enum Transfer: String, ExpressibleByArgument, CaseIterable {
    case pq, hlg, sdr
  }

  enum Primaries: String, ExpressibleByArgument, CaseIterable {
    case bt709, bt2020
    case displayP3 = "p3"

    var code: ColorPrimaries {
      switch self {
      case .bt709: .bt709
      case .bt2020: .bt2020
      case .displayP3: .displayP3
      }
    }
  }

  @Option(help: "Transfer characteristics of the input. pq and hlg imply BT.2020 where the input is not tagged.")
  var inputTransfer: Transfer?

  @Option(help: "Colour primaries of the input.")
  var inputPrimaries: Primaries?

  @Option(
    help: ArgumentHelp(
      "What the input's light is: none (1.0 is SDR white; clipped, never tone-mapped), hlg, or hdr10[:min=N][:max=N][:scale=N] "
        + "in cd/m² (what its tags say).", valueName: "descriptor"), transform: DescriptorArgument.init(parsing:))
  var edrMetadata: DescriptorArgument?

  @Flag(help: "Fail where something would otherwise be assumed, or dropped, with a warning.")
  var strict = false

  /// Overrides of the input's tags.
  var overrides: SourceOverrides {
    let transfer: TransferCharacteristics? =
      switch inputTransfer {
      case .pq: .pq
      case .hlg: .hlg
      case .sdr: .bt709
      case nil: nil
      }
    var overrides = SourceOverrides()
    (overrides.transfer, overrides.primaries) = (transfer, inputPrimaries?.code)
    overrides.descriptor = edrMetadata?.stated
    return overrides
  }
}
