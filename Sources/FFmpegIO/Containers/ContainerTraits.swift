internal import CFFmpeg

/// What is known of a container beyond what FFmpeg tells: a row of `rows`.
///
/// Sources, unless a line names another: FFmpeg's muxers and demuxers, 5.1 and later.
package struct ContainerTraits: Sendable {
  /// Containers that have code of their own.
  package enum Family: Sendable {
    /// Boxes of MP4 and QuickTime; edit lists hide what precedes time zero. ISO/IEC 14496-12.
    case iso
    /// Matroska and WebM. RFC 9559.
    case matroska
    /// MPEG transport streams. Rec. ITU-T H.222.0.
    case transport
    /// Y4M: pictures in Y'CbCr, which encoders read from pipes; no tags say PQ or HLG.
    case y4m
    /// HLS: segments, and a playlist that lists them. RFC 8216.
    case playlist
    /// A file for each picture, whose name decides on the codec.
    case pictures
    /// A moving picture of the Web.
    case animation
    /// Nothing is written: no output needs a name.
    case nothing
    case other
  }

  /// FFmpeg's names of the muxers, and of demuxers that are called the same.
  package let names: [String]
  package var family = Family.other
  /// It is proposed in place of one that does not hold a codec; the rows are in the order of proposals.
  var isProposed = false
  /// Messages name it as what holds most streams.
  package var holdsMostStreams = false

  // Codecs, by FFmpeg's names.

  /// The usual video encoders are x264 for SDR of 8 bit and x265 for the rest, instead of FFmpeg's choice.
  var prefersX265 = false
  /// The only video codecs: others would be written so that nobody can read them, or refused in words of FFmpeg's.
  package var videoCodecs: Set<String>?
  /// Video codecs that the muxer refuses although its table has them, or writes so that nobody can read them.
  var refusedVideo: Set<String> = []
  /// The muxer also writes codecs that its tables do not list, and says itself which it cannot.
  var isLenient = false
  /// Viewers read its pictures in full range as BT.601, whatever is written.
  package var isReadAsBT601 = false
  /// The usual audio encoder; nil: FFmpeg's choice.
  package var audioEncoder: String?
  /// The only audio codecs, at 48 kHz: its header cannot be tried without video.
  var soundCodecs: Set<String>?
  /// Audio codecs of a format that opens its files by itself; nil: any. By default what players support in MP4 segments.
  var segmentCodecs: Set<String>? = ["aac", "ac3", "eac3", "mp3", "flac", "opus"]
  /// The encoder for text subtitles that it does not hold as they are; nil: it has no text.
  package var textEncoder: String?
  /// The only subtitle codecs; nil: those of FFmpeg's table.
  var subtitleCodecs: Set<String>?
  /// The only codecs of other streams than video; FFmpeg would write the rest as unidentified private data.
  var streamCodecs: Set<String>?
  /// The same in files whose packets have 192 bytes, as on Blu-ray discs.
  var bluRayCodecs: Set<String> = []
  /// Codecs of covers; elsewhere a cover would become a video of one frame.
  var covers: Set<String> = []
  /// Several codecs have one code in it.
  var sharesCodes = false

  // What it holds beside packets.

  /// It holds attached files, and covers as such.
  var holdsAttachments = false
  /// It holds the mastering display and content light.
  var holdsStaticMetadata = false
  package var holdsChapters = true
  /// Tags of a file that it has names for, in lower case; nil: any.
  package var tags: Set<String>?
  /// Tags of any name are added to the finished file, as boxes of iTunes.
  var takesFreeTags = false
  /// Languages have QuickTime's codes. Source: QuickTime File Format, "Language Code Values".
  var hasQuickTimeLanguages = false
  /// Nothing but pictures, without a tag.
  package var isBare = false
  /// It is not read back when it is complete.
  var isNotReadBack = false
  /// It gets only the pictures unless other streams are asked for: checksums, and nothing.
  package var isOfChecks = false
  /// Checksums must not depend on FFmpeg's version.
  var isHash = false

  // Times.

  /// It has one frame rate instead of a time for each frame. FFmpeg's flag for this is missing for MP4, which has times.
  var hasConstantRate = false
  /// It consists of fragments, each with an index, and begins with the configuration of its decoders.
  var isFragmented = false
  /// Its writers state more frames than there are if they cannot seek.
  var overstatesFrames = false

  // Names of files, in lower case and without a dot.

  /// Suffixes of films that an output of many films keeps: HDR video has a place there, with all that belongs to it.
  var keptSuffixes: Set<String> = []
  /// Other suffixes of films.
  var otherSuffixes: Set<String> = []
  /// Suffixes that FFmpeg's muxer does not list.
  var addedSuffixes: [String] = []

  /// The container of standard streams whose format is not stated.
  static let ofStandardStreams = "yuv4mpegpipe"

  /// Suffixes of films that an output keeps.
  package static let suffixesOfOutputs: Set<String> = Set(rows.flatMap(\.keptSuffixes))
  /// Suffixes of all films. Other files of a folder are no inputs.
  package static let suffixesOfFilms = suffixesOfOutputs.union(rows.flatMap(\.otherSuffixes))

  private static let named: [String: ContainerTraits] = Dictionary(
    uniqueKeysWithValues: rows.flatMap { row in row.names.map { name in (name, row) } })

  /// - Parameter format: FFmpeg's name of a muxer, or its names of a demuxer: "mov,mp4,m4a,3gp,3g2,mj2".
  /// - Returns: Of a container without a row: FFmpeg's tables decide.
  package static func of(_ format: String?) -> ContainerTraits {
    (format ?? "").split(separator: ",").lazy.compactMap { named[String($0)] }.first ?? ContainerTraits(names: [])
  }

  static func of(_ muxer: UnsafePointer<AVOutputFormat>) -> ContainerTraits { unsafe of(text(muxer.pointee.name)) }
}
