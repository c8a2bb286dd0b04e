internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Media
internal import Sessions

extension StreamDiagnostic {
  var words: String {
    switch self {
    case .isMissing(let name, let specifier):
      "'\(name)' has no stream '\(specifier)': see `headroom probe`, or append ? to make it optional."
    case .hasNoVideo: "--map selects no video stream: add one, such as --map 0:v:0."
    case .isEncoded(let label, let codec, let encoder, let format):
      "\(label.text) is encoded with \(encoder): \(format) does not support \(codec)."
    case .audioIsEncoded(let label, let encoder, let audio):
      "\(label.text) is encoded with \(encoder): \(audio.words)."
    case .audioIsReplaced(let label, let encoder, let audio, let format):
      "\(format) cannot hold \(label.text): encoded with \(encoder), \(audio.words) (--audio-fallback chooses another encoder"
        + (format == "matroska" ? ")." : "; matroska holds most audio).")
    case .cannotBeDecoded(let labels):
      "This FFmpeg cannot decode \(labels.map(\.text).joined(separator: ", ")), so "
        + "\(labels.count == 1 ? "it" : "they") cannot be re-encoded: dropped."
    case .needsNoMix(let labels, let mix):
      "\(labels.map(\.text).joined(separator: ", ")) \(labels.count == 1 ? "has" : "have") no more channels than "
        + "\(mix.rawValue): copied."
    case .encodesNoAudio(let parameter):
      "\(parameter.flag) is for audio that is re-encoded: name an encoder, such as -c:a aac."
    case .hasNoAudioEncoder(let format):
      "\(format) has no usual audio encoder for --downmix: name one, such as -c:a aac."
    case .isLossless(let encoder):
      "\(encoder) is lossless and has no bit rate: omit --audio-bitrate, or choose another -c:a."
    case .cannotHoldEncoded(let label, let encoder, let usual, let format):
      "\(format) cannot hold \(label.text) as \(encoder): choose another encoder"
        + (usual == encoder ? "" : " (\(usual))")
        + (format == "matroska" ? "." : ", or another container (matroska holds most).")
    case .otherVideoIsLeftOut(let streams):
      "Only one video stream is processed; dropping \(streams.joined(separator: ", ")). Choose another with --map."
    case .leftOutOfPictures(let format, let labels):
      "\(format) holds only the picture; dropping \(labels.map(\.text).joined(separator: ", "))."
    case .notHeld(let format, let labels, let usual): Self.notHeld(labels, format, usual)
    case .audioRateIsOutOfRange(let rate, let encoder, let least, let most):
      "\(encoder) encodes this audio with \(least.bitRateWords) to \(most.bitRateWords), not "
        + "\(rate.bitRateWords): choose another --audio-bitrate."
    case .hasNoSubtitles(let name, let specifier, let available):
      "'\(specifier)' is neither a file nor subtitles of '\(name)', which has "
        + (available.isEmpty ? "none: give a file with --burn-subtitles." : "\(available.joined(separator: ", ")).")
    case .burnsIn(let label, let nits):
      "Burning in subtitle stream \(label), white at \(nits.map { "\($0.words) cd/m²" } ?? "SDR white")."
    case .readsSubtitles(let name, let bytes):
      "Reading all of '\(name)' (\(bytes >> 20) MiB) for its subtitles first; extracting them to a file avoids this."
    case .subtitlesCannotBeTurned(let name, let degrees):
      "'\(name)' is displayed rotated by \(degrees.words)°: subtitles drawn into it would not be upright. Leave them "
        + "beside it, or rotate the picture with another program first."
    case .subtitlesAreDamaged(let label, let count):
      "\(count == 1 ? "1 subtitle" : "\(count) subtitles") of \(label) could not be decoded in full: what is damaged is missing. If "
        + "it is text, save it as UTF-8."
    case .takesPalettesFor(let label, let palette):
      "The colours of \(label) are read as \(palette == .bt709 ? "BT.709, as on Blu-ray" : "BT.2020 PQ, as on Ultra HD Blu-ray"): "
        + "--subtitle-palette \(palette == .bt709 ? SubtitlePalette.bt2020PQ.rawValue : SubtitlePalette.bt709.rawValue) if that is wrong."
    case .burnsNothing(let label): "\(label) has no subtitles: nothing is burned in."
    case .lackGlyphs(let seconds):
      "No installed font has some of the characters in the subtitles at \(seconds.words(decimals: 2)) s: install one for "
        + "their language (fonts-noto-core, fonts-noto-cjk)."
    }
  }

  private static func notHeld(_ labels: [Label], _ format: String, _ usual: String?) -> String {
    var advice: [String] = []
    if let usual, labels.contains(where: \.isAudio) { advice.append("--audio-fallback \(usual) encodes such audio") }
    if format != "matroska", labels.contains(where: { !$0.isData }) { advice.append("matroska holds most streams") }
    return "\(format) cannot hold \(labels.map(\.text).joined(separator: ", ")): dropped"
      + (advice.isEmpty ? "." : " (\(advice.joined(separator: "; "))).")
  }
}

extension EncodedAudio {
  /// "stereo, 48 kHz, 192 kbit/s; mixed down from 5.1(side) ..."
  fileprivate var words: String {
    var words = "\(made.channelWords), \((Double(made.sampleRate) / 1000).words) kHz"
    if let bitRate { words += ", \(bitRate.bitRateWords)" }
    if isMixed {
      let isWithout = made.channels <= ChannelMix.stereo.channels && source.layout?.contains(".1") == true
      words +=
        "; mixed down from \(source.channelWords)\(isWithout ? " without LFE" : ""), lowered so that nothing clips"
    }
    return words
  }
}

extension AudioStreamInfo {
  fileprivate var channelWords: String { layout ?? (channels.counting("channel")) }
}
