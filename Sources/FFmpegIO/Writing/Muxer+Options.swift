internal import CFFmpeg

extension Muxer {
  /// Sets the options of the container that were asked for, after those that are chosen here.
  func setOptions(_ options: [(String, String)], _ arrangement: ISOArrangement) throws(FFmpegError) {
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

  /// Adds a flag of FFmpeg's muxer for MP4 and QuickTime to those that are set.
  func addMovFlag(_ flag: String) { unsafe av_opt_set(context.pointee.priv_data, "movflags", "+" + flag, 0) }
}
