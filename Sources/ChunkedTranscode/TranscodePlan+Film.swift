internal import FFmpegIO
internal import Foundation
internal import Media
internal import Sessions

extension TranscodePlan {
  /// Why the output cannot be made from pieces; nil: it can.
  var filmObstacle: FilmObstacle? {
    guard let encoder = video.encoder else { return Self.notHeld("none") }
    if !request.input.protocols.isEmpty, request.input.name.contains("://") { return .stream }
    guard MediaWriter.writesPackets(url: video.url, format: video.format), Encoders.isHeldByMatroska(encoder) else {
      return Self.notHeld(encoder)
    }
    if let option = rateOption(encoder) {
      return FilmObstacle(
        "pieces-with-rate-option",
        "the option \(option) makes \(encoder) keep to a bit rate, which pieces cannot share. Use \(.crf).")
    }
    if Encoders.sharesNoBits(encoder) || keepsQuality(encoder) { return nil }
    return FilmObstacle(
      "pieces-with-bit-rate",
      "\(encoder) keeps to a bit rate, which pieces cannot share. Use \(.encoder, "libx265"), libx264 or libsvtav1 "
        + "with \(.crf).")
  }

  /// The obstacle that Matroska cannot carry the coded pictures.
  private static func notHeld(_ encoder: String) -> FilmObstacle {
    FilmObstacle(
      "pieces-not-in-matroska",
      "what \(encoder) writes cannot be kept in pieces. Choose another encoder with \(.encoder).")
  }

  /// Returns whether the encoder uses constant quality, by default or by request.
  private func keepsQuality(_ encoder: String) -> Bool {
    switch encoder {
    case "libx264", "libx265", "libsvtav1": true
    case "libaom-av1", "libvpx-vp9": video.crf != nil
    default: false
    }
  }

  /// Encoder options for rate control, buffers, or first-pass statistics. Each piece would start with an empty history.
  private static let rateOptions: Set<String> = [
    "b", "bitrate", "maxrate", "minrate", "bufsize", "vbv-maxrate", "vbv-bufsize", "vbv-init", "strict-cbr", "nal-hrd",
    "hrd", "pass", "passes", "stats", "tbr", "mbr", "target-bitrate", "end-usage", "abr", "slow-firstpass",
  ]

  private func rateOption(_ encoder: String) -> String? {
    for option in video.encoderOptions where option.value != "0" {
      // x264 and x265 accept both spellings.
      if Self.rateOptions.contains(option.name.replacing("_", with: "-")) { return option.name }
      // SVT-AV1: 0 is constant quality.
      if encoder == "libsvtav1", option.name == "rc" { return option.name }
    }
    return nil
  }
}
