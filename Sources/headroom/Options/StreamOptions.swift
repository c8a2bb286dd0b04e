public import ArgumentParser
public import Media
public import Sessions

/// Which streams of the input are written besides the picture, and how.
struct StreamOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("map", withSingleDash: true)], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Streams to include, as with ffmpeg's -map (0:v, 0:a:1, 0:s:m:language:eng?, -0:d); may be repeated. "
        + "Without it: every stream that the output can hold.", valueName: "spec"))
  var map: [String] = []

  @Option(
    name: .customLong("c:a", withSingleDash: true),
    help: ArgumentHelp(
      "Encoder for all audio, by its ffmpeg name (aac, libopus, flac, ...). Without it, or with copy: audio is copied "
        + "where the output can hold it.", valueName: "encoder"))
  var audioEncoder: String?

  @Option(
    help: ArgumentHelp(
      "Encoder for audio that the output cannot hold as it is (without it: the container's usual encoder), or none: such "
        + "audio is dropped.", valueName: "encoder|none"))
  var audioFallback: String?

  @Option(
    name: [.long, .customLong("b:a", withSingleDash: true)],
    help: ArgumentHelp("Bit rate of each audio stream that is encoded: 192k.", valueName: "rate"))
  var audioBitrate: BitRateArgument?

  @Option(
    help: ArgumentHelp(
      "Mix audio with more channels down to stereo or mono (ITU-R BS.775, no LFE), encoded with -c:a or the container's "
        + "usual encoder; other audio is copied unless -c:a says otherwise.", valueName: "channels"))
  var downmix: ChannelMix?

  @Option(
    name: .customLong("c:s", withSingleDash: true),
    help: ArgumentHelp(
      "Encoder, by its ffmpeg name, for subtitles that the output cannot hold as they are (text: mov_text, subrip or "
        + "webvtt, depending on the container).", valueName: "encoder"))
  var subtitleEncoder: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Draw subtitles into the picture, in linear light, with white at 203 cd/m² (HDR10), 75 % (HLG) or SDR white: a stream "
        + "of the input (s:0, s:m:language:eng, 3), or a file (.srt, .ass, .vtt, .sup, ...). Text and bitmaps; the stream is "
        + "then not copied too, unless --map names it.", valueName: "stream|file"))
  var burnSubtitles: String?

  @Option(
    help: ArgumentHelp(
      "What the colours of Blu-ray subtitles (PGS) that are burnt in are: bt709, or bt2020-pq as on Ultra HD discs. Without it: "
        + "BT.2020 PQ for PQ films where the subtitles' canvas has 2160 lines, or none of their colours is brighter than "
        + "400 cd/m² then.", valueName: "coding"))
  var subtitlePalette: SubtitlePalette?

  var request: StreamRequest {
    var request = StreamRequest()
    request.map = map.compactMap(StreamRequest.Entry.init(argument:))
    (request.audioEncoder, request.audioFallback, request.subtitleEncoder) = (
      audioEncoder, audioFallback, subtitleEncoder
    )
    (request.audioBitRate, request.downmix) = (audioBitrate?.bits, downmix)
    return request
  }

  func validate() throws {
    if subtitlePalette != nil, burnSubtitles == nil {
      throw ValidationError("--subtitle-palette is for subtitles that --burn-subtitles draws.")
    }
    for entry in map where StreamRequest.Entry(argument: entry) == nil {
      throw ValidationError("'\(entry)' is not a --map: write 0:v, 0:a:1, 0:s?, -0:d, ... (there is one input, 0).")
    }
  }
}

extension StreamRequest.Entry {
  /// "-0:s:m:language:eng?"
  /// - Returns: nil unless it begins with 0, the only input.
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
}

extension ChannelMix: ExpressibleByArgument {}
extension SubtitlePalette: ExpressibleByArgument {}
