internal import ColorScience
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
    let isAsked = request.metadata.masterDisplay != nil || request.metadata.maxCLL != nil
    if isAsked, space?.transfer != .pq, space != nil || request.keepsCodes {
      throw CommandFailure(
        "--master-display and --max-cll are for PQ: other pictures carry no such metadata.", .usage)
    }
  }
}
