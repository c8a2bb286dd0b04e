/// An ffmpeg option with a different name here, or without an equivalent. ArgumentParser would parse most of them as a
/// group of short options.
struct ForeignOption {
  /// The option as given.
  let name: String
  /// What to do instead, as a sentence ending.
  let hint: String

  private static let filters =
    "scaling is --scale, and others are --crop, --deinterlace and --burn-subtitles; --filter has highlights and scopes."

  private static let hints: [String: String] = [
    "-i": "the input stands alone: headroom transcode INPUT -o OUTPUT.",
    "-y": "--overwrite replaces an existing output.",
    "-n": "omit it: an existing output is kept; --skip-existing makes that no error.", "-crf": "write --crf.",
    "-preset": "write --preset.", "-pass": "write --two-pass.",
    "-movflags": "write --muxer-options movflags=...; MP4 and MOV begin with their index without it.",
    "-tune": "write --encoder-options tune=...",
    "--tune": "write --encoder-options tune=...", "-b:v": "write --bitrate or --crf.",
    "-maxrate": "write --max-bitrate.", "-bufsize": "write --buffer-size.",
    "-g": "write --encoder-options keyint=... (x264, x265, SVT-AV1) or g=...",
    "-profile:v": "write --encoder-options profile=...", "-vcodec": "write -c:v.", "-codec:v": "write -c:v.",
    "-acodec": "write -c:a.", "-codec:a": "write -c:a.", "-scodec": "write -c:s.", "-ab": "write --audio-bitrate.",
    "-c": "video is always encoded, with -c:v ENCODER; other streams are copied.",
    "-codec": "video is always encoded, with -c:v ENCODER; other streams are copied.",
    "-ac": "--downmix stereo or mono mixes audio down.", "-ar": "audio keeps its rate where the encoder has it.",
    "-ss": "write --start.", "-t": "write --duration.",
    "-to": "write --start and --duration, the length instead of the end.",
    "-frames:v": "write --frames 0-N, the number of the last frame.",
    "-vframes": "write --frames 0-N, the number of the last frame.", "-s": "write --scale WxH.",
    "-r": "frames keep their times; ffmpeg -r before or after can change the rate.",
    "-vf": filters, "-filter:v": filters, "-filter_complex": filters,
    "-af": "audio is copied or encoded, with -c:a and --downmix.",
    "-an": "write --map 0 --map -0:a.", "-sn": "write --map 0 --map -0:s.", "-dn": "write --map 0 --map -0:d.",
    "-vn": "the picture is what headroom is for: ffmpeg -vn -c copy takes the rest.",
    "-pix_fmt": "write --pixel-format.", "-map_metadata": "tags are kept; ffmpeg -c copy changes them afterwards.",
    "-map_chapters": "chapters are kept; ffmpeg -c copy changes them afterwards.",
    "-metadata": "tags are kept; ffmpeg -c copy changes them afterwards.",
    "-color_primaries": "tags follow what is made (--to); a wrong tag of the input is --input-primaries.",
    "-color_trc": "tags follow what is made (--to); a wrong tag of the input is --input-transfer.",
    "-colorspace": "tags follow what is made (--to); a wrong tag of the input is --input-matrix.",
    "-color_range": "tags follow what is made; a wrong tag of the input is --input-range.",
    "-threads": "write --threads.", "-copyts": "write --copy-timestamps.", "-loglevel": "write -q or -v.",
    "-hide_banner": "omit it.", "-nostdin": "omit it.", "-stats": "omit it: progress is shown on a terminal.",
    "-shortest": "omit it: --duration says where to end.", "-hwaccel": "decoding is by software; omit it.",
    "-vaapi_device": "write --hw-device.", "-init_hw_device": "write --hw-device.",
  ]

  /// Returns the first one in the arguments, up to `--`.
  static func first(in arguments: [String]) -> ForeignOption? {
    for name in arguments.prefix(while: { $0 != "--" }) {
      if let hint = hints[name] { return ForeignOption(name: name, hint: hint) }
    }
    return nil
  }

  /// The names of all known options.
  static var names: [String] { hints.keys.sorted() }

  /// The message, as a sentence.
  var words: String {
    name.hasPrefix("--") ? "There is no option \(name): \(hint)" : "\(name) is an option of ffmpeg: \(hint)"
  }

  /// - Parameter word: The word in place of a verb.
  static func words(forVerb word: String) -> String {
    word.contains(".") || word.contains("/")
      ? "The verb is missing: write headroom transcode '\(word)' -o OUTPUT, or see `headroom --help` for other verbs."
      : "There is no verb '\(word)': `headroom --help` lists them."
  }
}
