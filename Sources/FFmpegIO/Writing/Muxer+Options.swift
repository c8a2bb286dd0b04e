internal import CFFmpeg
internal import Media

extension Muxer {
  /// Options of HLS that say which segments are listed.
  static let listing: Set = ["hls_list_size", "hls_playlist_type"]

  /// The segments of a playlist, and what they need, are where players find them and not where they were written, or
  /// the playlist does not end.
  static func isElsewhere(_ options: [(String, String)]) -> Bool {
    options.contains { name, value in
      ["hls_base_url", "hls_key_info_file", "hls_enc_key_url"].contains(name)
        || name == "hls_flags" && value.contains("omit_endlist")
    }
  }

  /// Sets the options of the container that were asked for, after those that are chosen here.
  func setOptions(_ options: [(String, String)], _ arrangement: ISOArrangement) throws(FFmpegError) {
    // FFmpeg lists the last five segments, as of a live stream.
    if isPlaylist, !options.contains(where: { Self.listing.contains($0.0) }) {
      unsafe av_opt_set_int(context.pointee.priv_data, "hls_list_size", 0, 0)
      unsafe av_opt_set(context.pointee.priv_data, "hls_playlist_type", isLive ? "event" : "vod", 0)
    }
    for (option, value) in options {
      let (code, _) = FFmpegLog.listening {
        unsafe av_opt_set(context, option, value, AV_OPT_SEARCH_CHILDREN)
      }
      // The code for an unknown value of flags is the same.
      let isKnown = unsafe av_opt_find(context, option, nil, 0, AV_OPT_SEARCH_CHILDREN) != nil
      if code == hr_error_option_not_found(), !isKnown {
        throw .unknownMuxerOption(format: name, name: option)
      }
      if code < 0 { throw .invalidMuxerOption(format: name, name: option, value: value) }
    }
    if isISO, arrangement.beginsWithIndex { addMovFlag("faststart") }
  }

  /// Options for a file that can be read up to its end at any moment: what a player needs is written once a second.
  ///
  /// Source: FFmpeg's documentation of its muxers, mov and matroska.
  /// - Parameter stated: Those that were asked for: how an MP4 or QuickTime file is arranged is up to these.
  func liveOptions(_ stated: [(String, String)]) -> [(String, String)] {
    // FFmpeg would keep 256 KiB for itself.
    let flushing = [("flush_packets", "1")]
    if isMatroska { return flushing + [("cluster_time_limit", "1000")] }
    guard isISO, file.isFile, !stated.contains(where: { $0.0 == "movflags" }) else { return flushing }
    return flushing + [("movflags", "+delay_moov+default_base_moof"), ("frag_duration", "1000000")]
  }

  /// Adds a flag of FFmpeg's muxer for MP4 and QuickTime to those that are set.
  func addMovFlag(_ flag: String) { unsafe av_opt_set(context.pointee.priv_data, "movflags", "+" + flag, 0) }
}
