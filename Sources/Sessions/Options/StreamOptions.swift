internal import Media

/// Streams of the input to write besides the picture, and how.
public enum StreamOptions: OptionTable {
  public static let options: [RequestOption<StreamRequest>] = [
    RequestOption(
      list: .map, \.map, .entry,
      "Streams to include, as with ffmpeg's -map (0:v, 0:a:1, 0:s:m:language:eng?, -0:d); may be repeated.",
      default: "every stream that the output can hold", .isForVideo),
    RequestOption(
      .audioEncoder, \.audioEncoder, .text("encoder"),
      "Encoder for all audio, by its ffmpeg name (aac, libopus, flac, ...). Without it, or with copy: audio is copied "
        + "where the output can hold it.", .isForVideo),
    RequestOption(
      .audioFallback, \.audioFallback, .text("encoder|none"),
      "Encoder for audio that the output cannot hold as it is, or none: such audio is dropped.",
      default: "the container's usual encoder", .isForVideo),
    RequestOption(
      .audioBitRate, \.audioBitRate, .bits("rate", 1_000...20_000_000, unit: "bit/s"),
      "Bit rate of each audio stream that is encoded: 192k.", [.isForVideo, .isForLossyAudio]),
    RequestOption(
      .downmix, \.downmix, .choice("channels"),
      "Mix audio with more channels down to stereo or mono (ITU-R BS.775, no LFE), encoded with \(.audioEncoder) or the "
        + "container's usual encoder; other audio is copied unless \(.audioEncoder) says otherwise.",
      [.isForVideo, .isForEncodedAudio]),
    RequestOption(
      .subtitleEncoder, \.subtitleEncoder, .text("encoder"),
      "Encoder, by its ffmpeg name, for subtitles that the output cannot hold as they are.",
      default: "text: mov_text, subrip or webvtt, depending on the container", .isForVideo),
  ]
}

/// Subtitles to burn into the picture.
public enum SubtitleOptions: OptionTable {
  public static let options: [RequestOption<TranscodeRequest>] = [
    RequestOption(
      .burnSubtitles, \.burnedSubtitles, .text("stream|file"),
      "Draw subtitles into the picture, in linear light, with white at 203 cd/m² (HDR10), 75 % (HLG) or SDR white: a "
        + "stream of the input (s:0, s:m:language:eng, 3), or a file (.srt, .ass, .vtt, .sup, ...). Text and bitmaps; the "
        + "stream is then not copied too, unless \(.map) names it.", .isForVideo),
    RequestOption(
      .subtitlePalette, \.subtitlePalette, .choice("coding"),
      "What the colours of Blu-ray subtitles (PGS) that are burnt in are; bt2020-pq as on Ultra HD discs.",
      default:
        "BT.2020 PQ for PQ films where the subtitles' canvas has 2160 lines, or none of their colours is brighter "
        + "than 400 cd/m² then", needs: [.burnSubtitles]),
  ]
}

extension OptionValue where Value == StreamRequest.Entry {
  fileprivate static var entry: OptionValue {
    OptionValue(
      "spec", canBeginWithDash: true, expected: "0:v, 0:a:1, 0:s?, -0:d, ... (there is one input, 0)",
      parse: StreamRequest.Entry.init(argument:), text: \.argument)
  }
}

extension StreamRequest.Entry {
  /// "-0:s:m:language:eng?"
  /// - Returns: nil unless it starts with 0, the only input.
  fileprivate init?(argument: String) {
    var rest = argument[...]
    let isNegative = rest.hasPrefix("-")
    if isNegative { rest = rest.dropFirst() }
    let isOptional = rest.hasSuffix("?")
    if isOptional { rest = rest.dropLast() }
    guard rest.hasPrefix("0") else { return nil }
    rest = rest.dropFirst()
    guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
    self.init(String(rest.dropFirst()))
    (self.isNegative, self.isOptional) = (isNegative, isOptional)
  }

  fileprivate var argument: String {
    (isNegative ? "-0" : "0") + (specifier.isEmpty ? "" : ":" + specifier) + (isOptional ? "?" : "")
  }
}
