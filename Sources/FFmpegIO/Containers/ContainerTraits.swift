internal import CFFmpeg

/// Properties of a container that FFmpeg does not report: a row of `rows`.
///
/// Sources, unless a line names another: FFmpeg's muxers and demuxers, 5.1 and later.
package struct ContainerTraits: Sendable {
  /// Containers with special handling in the code.
  package enum Family: Sendable {
    /// Boxes of MP4 and QuickTime; edit lists hide what precedes time zero. ISO/IEC 14496-12.
    case iso
    /// Matroska and WebM. RFC 9559.
    case matroska
    /// MPEG transport streams. Rec. ITU-T H.222.0.
    case transport
    /// Y4M: Y'CbCr pictures for pipes to encoders; tags cannot signal PQ or HLG.
    case y4m
    /// HLS: segments, and a playlist that lists them. RFC 8216.
    case playlist
    /// One file per picture; the file name determines the codec.
    case pictures
    /// An animated picture for the Web.
    case animation
    /// No output is written, so a file name is unnecessary.
    case nothing
    case other
  }

  /// FFmpeg's names of the muxers, and of demuxers with the same names.
  package let names: [String]
  package var family = Family.other
  /// Proposed in place of a container that does not support a codec, in the order of the rows.
  var isProposed = false
  /// Named in messages as the container that supports most streams.
  package var holdsMostStreams = false

  // Codecs, by FFmpeg's names.

  /// Whether the default video encoders are x264 for 8-bit SDR and x265 otherwise, instead of FFmpeg's choice.
  var prefersX265 = false
  /// The only video codecs; others would be unreadable, or rejected with FFmpeg's messages.
  package var videoCodecs: Set<String>?
  /// Video codecs that the muxer rejects although its table lists them, or writes in an unreadable form.
  var refusedVideo: Set<String> = []
  /// Whether the muxer also writes codecs that its tables do not list, and reports those that it cannot write.
  var isLenient = false
  /// Whether viewers read the pictures as full-range BT.601, regardless of their tags.
  package var isReadAsBT601 = false
  /// Default audio encoder; nil: FFmpeg's choice.
  package var audioEncoder: String?
  /// The only audio codecs, at 48 kHz: the header cannot be tried without video.
  var soundCodecs: Set<String>?
  /// Audio codecs of a format that opens files itself; nil: any. The default is what players support in MP4 segments.
  var segmentCodecs: Set<String>? = ["aac", "ac3", "eac3", "mp3", "flac", "opus"]
  /// Encoder for text subtitles that cannot be copied; nil: text is not supported.
  package var textEncoder: String?
  /// The only subtitle codecs; nil: the codecs in FFmpeg's table.
  var subtitleCodecs: Set<String>?
  /// The only codecs of streams other than video; FFmpeg would write the rest as unidentified private data.
  var streamCodecs: Set<String>?
  /// The same for files with 192-byte packets, as on Blu-ray discs.
  var bluRayCodecs: Set<String> = []
  /// Codecs of covers; elsewhere a cover would become a one-frame video.
  var covers: Set<String> = []
  /// Whether several codecs share one code.
  var sharesCodes = false

  // Contents besides packets.

  /// Whether attached files, and covers as such, are supported.
  var holdsAttachments = false
  /// Whether mastering display and content light are stored.
  var holdsStaticMetadata = false
  package var holdsChapters = true
  /// Names of supported file tags, in lower case; nil: any.
  package var tags: Set<String>?
  /// Whether tags of any name are added to the finished file, as iTunes boxes.
  var takesFreeTags = false
  /// Whether languages are stored as QuickTime codes. Source: QuickTime File Format, "Language Code Values".
  var hasQuickTimeLanguages = false
  /// Whether it contains only pictures, without tags.
  package var isBare = false
  /// Whether the complete file is not read back.
  var isNotReadBack = false
  /// Whether it gets only the pictures unless other streams are requested: checksums, and the null muxer.
  package var isOfChecks = false
  /// Whether it contains checksums, which must not depend on FFmpeg's version.
  var isHash = false

  // Times.

  /// Whether it has one frame rate instead of a time per frame; FFmpeg's flag for times is missing for MP4.
  var hasConstantRate = false
  /// Whether it consists of fragments, each with an index, and begins with the decoder configurations.
  var isFragmented = false
  /// Whether writers that cannot seek state too many frames.
  var overstatesFrames = false

  // File name suffixes, in lower case and without a dot.

  /// Suffixes that a batch keeps for its outputs: containers that support HDR video with all its streams and metadata.
  var keptSuffixes: Set<String> = []
  /// Other suffixes of video files.
  var otherSuffixes: Set<String> = []
  /// Suffixes that FFmpeg's muxer does not list.
  var addedSuffixes: [String] = []

  /// The default container for standard streams.
  static let ofStandardStreams = "yuv4mpegpipe"

  /// Suffixes that outputs keep.
  package static let suffixesOfOutputs: Set<String> = Set(rows.flatMap(\.keptSuffixes))
  /// Suffixes of all video files. Other files in a folder are not inputs.
  package static let suffixesOfFilms = suffixesOfOutputs.union(rows.flatMap(\.otherSuffixes))

  private static let named: [String: ContainerTraits] = Dictionary(
    uniqueKeysWithValues: rows.flatMap { row in row.names.map { name in (name, row) } })

  /// - Parameter format: FFmpeg's name of a muxer, or its names of a demuxer: "mov,mp4,m4a,3gp,3g2,mj2".
  /// - Returns: Defaults for a container without a row: FFmpeg's tables apply.
  package static func of(_ format: String?) -> ContainerTraits {
    (format ?? "").split(separator: ",").lazy.compactMap { named[String($0)] }.first ?? ContainerTraits(names: [])
  }

  static func of(_ muxer: UnsafePointer<AVOutputFormat>) -> ContainerTraits { unsafe of(text(muxer.pointee.name)) }
}
