internal import CFFmpeg
internal import Media

extension Muxer {
  /// HLS options that select the listed segments.
  static let listing: Set = ["hls_list_size", "hls_playlist_type"]

  /// Whether a playlist's segments and keys are published elsewhere than they are written, or the playlist does not
  /// end.
  static func isElsewhere(_ options: [(String, String)]) -> Bool {
    options.contains { name, value in
      ["hls_base_url", "hls_key_info_file", "hls_enc_key_url"].contains(name)
        || name == "hls_flags" && value.contains("omit_endlist")
    }
  }

  /// Sets the requested container options, after the default ones.
  func setOptions(_ options: [(String, String)], _ arrangement: ISOArrangement) throws(FFmpegError) {
    // By default, FFmpeg lists the last five segments, as for a live stream.
    if isPlaylist, !options.contains(where: { Self.listing.contains($0.0) }) {
      unsafe av_opt_set_int(context.pointee.priv_data, "hls_list_size", 0, 0)
      unsafe av_opt_set(context.pointee.priv_data, "hls_playlist_type", isLive ? "event" : "vod", 0)
    }
    for (option, value) in options {
      let (code, _) = FFmpegLog.listening {
        unsafe av_opt_set(context, option, value, AV_OPT_SEARCH_CHILDREN)
      }
      // An unknown flag value results in the same code.
      let isKnown = unsafe av_opt_find(context, option, nil, 0, AV_OPT_SEARCH_CHILDREN) != nil
      if code == hr_error_option_not_found(), !isKnown {
        throw .unknownMuxerOption(format: name, name: option)
      }
      if code < 0 { throw .invalidMuxerOption(format: name, name: option, value: value) }
    }
    if isISO, arrangement.beginsWithIndex { addMovFlag("faststart") }
  }

  /// Options for a file that is readable up to its end at any time: data for players is written once a second. Source:
  /// FFmpeg's documentation of its muxers, mov and matroska.
  /// - Parameter stated: The requested options, which determine the arrangement of MP4 and QuickTime files.
  func liveOptions(_ stated: [(String, String)]) -> [(String, String)] {
    // FFmpeg would buffer 256 KiB.
    let flushing = [("flush_packets", "1")]
    if isMatroska { return flushing + [("cluster_time_limit", "1000")] }
    guard isISO, file.isFile, !stated.contains(where: { $0.0 == "movflags" }) else { return flushing }
    return flushing + [("movflags", "+delay_moov+default_base_moof"), ("frag_duration", "1000000")]
  }

  /// Adds a flag of FFmpeg's MP4 and QuickTime muxer to the flags that are set.
  func addMovFlag(_ flag: String) { unsafe av_opt_set(context.pointee.priv_data, "movflags", "+" + flag, 0) }
}

/// Arrangement of the boxes of an MP4 or QuickTime file.
struct ISOArrangement {
  /// Whether the file consists of fragments with separate indices.
  let isFragmented: Bool
  /// Whether the index precedes the pictures, so that a player on a network need not fetch the end first. The file is
  /// rewritten when it is finished.
  let beginsWithIndex: Bool

  /// Values of `movflags` that create fragments, in FFmpeg 5.1 and later.
  private static let fragmenting: Set = [
    "frag_keyframe", "frag_custom", "frag_every_frame", "empty_moov", "dash", "cmaf", "isml", "hybrid_fragmented",
  ]
  /// Options that create fragments.
  private static let lengths: Set = ["frag_duration", "frag_size"]

  /// - Parameter isFile: It can be rewritten, unlike a pipe.
  init(_ options: [(String, String)], format: String, isFile: Bool) {
    let flags = options.filter { $0.0 == "movflags" }.flatMap { Self.flags($0.1) }
    let isRequested = { (name: String) in flags.last { $0.name == name }?.isSet }
    isFragmented =
      ContainerTraits.of(format).isFragmented || Self.fragmenting.contains { isRequested($0) == true }
      || options.contains { Self.lengths.contains($0.0) && $0.1 != "0" }
    // Flags without a sign replace others.
    let isReplaced = flags.contains { !$0.isSigned }
    beginsWithIndex = isFile && !isFragmented && (isRequested("faststart") ?? !isReplaced)
  }

  /// The names in "+a-b" or "a+b".
  private static func flags(_ text: String) -> [(name: String, isSet: Bool, isSigned: Bool)] {
    var result: [(name: String, isSet: Bool, isSigned: Bool)] = []
    var rest = Substring(text)
    while let first = rest.first {
      let isSigned = first == "+" || first == "-"
      if isSigned { rest.removeFirst() }
      let name = rest.prefix { $0 != "+" && $0 != "-" }
      result.append((String(name), isSet: first != "-", isSigned: isSigned || !result.isEmpty))
      rest = rest.dropFirst(name.count)
    }
    return result
  }
}
