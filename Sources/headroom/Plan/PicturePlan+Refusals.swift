internal import ColorScience
internal import Filters
internal import Frames
internal import ImageFiles

extension PicturePlan {
  /// - Throws: `CommandFailure` for an option that would do nothing.
  func refuseIdleOptions() throws {
    let (format, isLinear) = (request.format, space?.isLinear ?? false)
    if let bitDepth = request.bitDepth, isLinear || !format.bitDepths.contains(bitDepth) {
      let depths = format.bitDepths.map(String.init).joined(separator: ", ")
      throw CommandFailure(
        depths.isEmpty || isLinear
          ? "--bit-depth is not for \(format.rawValue)\(isLinear ? " of light" : ""), whose samples are what they are: "
            + "leave it out."
          : "\(format.rawValue) takes --bit-depth \(depths), not \(bitDepth).", .usage)
    }
    if request.compression != nil, format != .exr {
      throw CommandFailure("--compression is for exr, not for \(format.rawValue): leave it out.", .usage)
    }
    if request.isLossless, ![.avif, .jxl].contains(format) {
      throw CommandFailure(
        "--lossless is for avif and jxl; \(format.rawValue) loses nothing in any case: leave it out.", .usage)
    }
    if stage == .decoded, request.mapping.isAsked {
      throw CommandFailure(
        "Light as decoded is not mapped: leave --to, --tone-map, --peak, --reference-white and --hlg-ootf out, or choose "
          + "--stage mapped.", .usage)
    }
    if let space, !space.isHDR, let kind = request.mapping.chosenKind, kind != .sdr, stage != .output {
      throw CommandFailure(
        "\(space.name) is for SDR, not for \(kind.rawValue): leave --to out, or choose another --space.", .usage)
    }
    try refuseIdleFilters()
    let isAsked = request.metadata.masterDisplay != nil || request.metadata.maxCLL != nil
    if isAsked, space?.transfer != .pq, space != nil || request.keepsCodes {
      throw CommandFailure(
        "--master-display and --max-cll are for PQ: other pictures carry no such metadata.", .usage)
    }
  }

  private func refuseIdleFilters() throws {
    if request.stats != nil, request.contact != nil {
      throw CommandFailure("--stats is for frames, not for a contact sheet of them: leave one of the two out.", .usage)
    }
    if request.filters.isEmpty {
      guard request.stage == .filtered else { return }
      throw CommandFailure("--stage filtered is after the filters: add a --filter, or leave --stage out.", .usage)
    }
    if let stage = request.stage, [.decoded, .mapped].contains(stage) {
      throw CommandFailure(
        "--stage \(stage.rawValue) is before the filters: leave it out, or choose filtered or output.", .usage)
    }
    if stage == .decoded, request.filters.contains(where: \.needsMapping) {
      throw CommandFailure(
        "clip-warning shows what the mapping to a display does, and light as decoded is not mapped: add --to sdr, or "
          + "choose a --space for SDR.", .usage)
    }
  }
}
