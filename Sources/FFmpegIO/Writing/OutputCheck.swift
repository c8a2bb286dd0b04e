internal import Bitstreams
internal import CFFmpeg
internal import ColorScience
internal import Frames
internal import Media

/// Reopens a finished file before it is renamed, and compares its contents with the request.
struct OutputCheck {
  /// What a finished file is missing.
  struct Findings {
    /// Damage, and missing parts that were not required, a sentence each.
    var losses: [String] = []
    /// Required parts that are missing, as parts of a sentence.
    var missing: [String] = []
  }

  private let settings: MediaWriter.Settings
  private let streams: [Stream]
  private let videoCodec: String
  private let path: String?
  private let pictures: Int
  private let written: [RegisteredMessage: Int]
  /// Whether the output is a playlist, where pictures may be in unlisted segments.
  private let isPlaylist: Bool

  init(_ settings: MediaWriter.Settings, _ output: OutputStreams) {
    self.settings = settings
    // Some containers do not list streams without packets.
    streams = output.muxer.tracks.filter { $0.packets > 0 }.map(Stream.init)
    videoCodec = Stream(output.pictures).codec
    (pictures, written) = (output.pictures.packets, output.pictureMessages)
    isPlaylist = output.muxer.isPlaylist
    let file = output.muxer.file
    let hasPlaylist = isPlaylist && !Muxer.isElsewhere(settings.muxerOptions)
    path = output.muxer.isReadable ? file.temporaryPath ?? (hasPlaylist ? file.path : nil) : nil
  }

  /// What the file is missing; nothing if the output is not a readable file.
  /// - Throws: `FFmpegError.notKept` if the pictures are missing or broken: the file is worthless.
  func result() throws(FFmpegError) -> Findings {
    guard let path else { return Findings() }
    let location = Location("file:" + path, standardStream: "")
    let source = PictureStream.Source(
      location: location, format: isPlaylist ? "hls" : nil, video: nil, threads: 1, maxPixels: .max)
    let (info, index, first, siting) = try readBack(source)
    guard let video = info.streams.first(where: { $0.index == index })?.video
    else { throw .notKept(path: settings.url, what: ["its video stream"]) }
    if Self.family(info.streams[index].codecName) != Self.family(videoCodec) {
      throw .notKept(path: settings.url, what: ["its video stream of \(videoCodec)"])
    }
    // Only the container states how its samples are coded.
    if videoCodec == "rawvideo", let found = video.layout, found != settings.layout {
      throw .notKept(path: settings.url, what: ["its samples, which are read as \(video.pixelFormatName ?? "others")"])
    }
    let metadata = metadataFaults(
      container: video.metadata, frame: first, isMatroska: ContainerTraits.of(info.formatName).family == .matroska)
    let (unlisted, dynamic) = try missingPictures(in: source)
    // The user may have requested a partial list of segments.
    let isRequested = settings.muxerOptions.contains { Muxer.listing.contains($0.0) }
    let noted =
      (settings.insistsOnMetadata ? [] : metadata) + descriptionFaults(info, video) + tagFaults(info)
      + sitingFaults(siting ?? video.color.chromaLocation) + (isRequested ? unlisted : [])
    return Findings(
      losses: noted.map { "The output does not hold \($0)." },
      missing: missingStreams(in: info) + (settings.insistsOnMetadata ? metadata : []) + dynamic
        + (isRequested ? [] : unlisted))
  }

  /// Reads the file; errors state the output's name, not its temporary one.
  private func readBack(
    _ source: PictureStream.Source
  ) throws(FFmpegError) -> (MediaInfo, index: Int, HDRMetadata, ChromaLocation?) {
    do { return try read(source) } catch {
      switch error {
      case .failed(_, _, let code, let message):
        throw .failed(.readBack, path: settings.url, code: code, message: message)
      case .emptyFile: throw .failed(.readBack, path: settings.url, code: 0, message: "it is empty")
      default: throw error
      }
    }
  }

  /// Counts the pictures of a playlist, and those with HDR10+ and captions if some were written with them.
  private func missingPictures(
    in source: PictureStream.Source
  ) throws(FFmpegError) -> (unlisted: [String], dynamic: [String]) {
    guard isPlaylist || !written.isEmpty || settings.copiesHDR10Plus else { return ([], []) }
    let stream = try PictureStream(source)
    var (listed, found): (Int, [RegisteredMessage: Int]) = (0, [:])
    while try stream.readPacket() {
      defer { unsafe av_packet_unref(stream.packet) }
      guard unsafe Int(stream.packet.pointee.stream_index) == stream.index else { continue }
      listed += 1
      for kind in unsafe stream.packetMetadata.kinds(in: stream.packet.pointee) { found[kind, default: 0] += 1 }
    }
    let wanted: [(RegisteredMessage, String)] = [(.hdr10Plus, "HDR10+"), (.captions, "the closed captions")]
    let dynamic: [String] = wanted.compactMap { kind, name in
      let (found, written) = (found[kind] ?? 0, written[kind] ?? 0)
      return found == written
        ? nil : "\(name) of every frame (\(found) have \(kind == .captions ? "them" : "it") instead of \(written))"
    }
    let unlisted = isPlaylist && listed < pictures
    return (unlisted ? ["\(pictures - listed) of its \(pictures) pictures in the playlist"] : [], dynamic)
  }

  /// The file's description, the index of its video, and the metadata and the chroma siting of its first frame.
  private func read(
    _ source: PictureStream.Source
  ) throws(FFmpegError) -> (MediaInfo, index: Int, HDRMetadata, ChromaLocation?) {
    let pictures = try PictureStream(source)
    let info = pictures.demuxer.info()
    if let picture = try pictures.next()?.picture {
      let siting = unsafe picture.frame.pointee.chroma_location
      return (info, pictures.index, picture.metadata, ChromaLocation(siting))
    }
    // An edit list hides everything before time zero, which may be the whole selection.
    if settings.beginsAtZero { throw .notKept(path: settings.url, what: ["a picture that can be decoded"]) }
    return (info, pictures.index, HDRMetadata(), nil)
  }

  private func missingStreams(in info: MediaInfo) -> [String] {
    var found = info.streams.map { "\($0.kind.rawValue) stream of \(Self.family($0.codecName))" }
    return streams.compactMap { stream in
      // Cover pictures are read back with the kind and codec that the container gives them.
      if stream.kind == .attachment { return nil }
      let name = "\(stream.kind.rawValue) stream of \(Self.family(stream.codec))"
      guard let index = found.firstIndex(of: name)
      else { return "\(stream.kind == .audio ? "an" : "a") \(stream.kind.rawValue) stream of \(stream.codec)" }
      found.remove(at: index)
      return nil
    }
  }

  /// Codecs that containers do not distinguish.
  private static func family(_ codec: String) -> String {
    switch codec {
    case "mp1", "mp2", "mp3": "mp3"
    case "pcm_dvd", "pcm_s16be": "pcm_s16be"
    case "h263", "h263p": "h263"
    case "text", "subrip", "srt": "subrip"
    case "ssa", "ass": "ass"
    default: codec
    }
  }

  /// Metadata that is missing from both container and frame, or differs in either.
  private func metadataFaults(container: HDRMetadata, frame: HDRMetadata, isMatroska: Bool) -> [String] {
    var faults: [String] = []
    if let wanted = settings.metadata.masteringDisplay {
      let found = [container.masteringDisplay, frame.masteringDisplay].compactMap { $0 }
      if found.isEmpty || !found.allSatisfy({ $0.isSame(as: wanted) }) {
        faults.append(wanted.words)
      }
    }
    if let wanted = settings.metadata.contentLight {
      let found = [container.contentLight, frame.contentLight].compactMap { $0 }
      // FFmpeg 5.1 writes light levels with a MaxFALL of 0 to Matroska, but does not read them.
      if found.isEmpty, wanted.maxFALL == 0, isMatroska { return faults }
      if found.isEmpty || !found.allSatisfy({ $0 == wanted }) { faults.append(wanted.words) }
    }
    return faults
  }

  /// A message for a tag that is missing or differs; nil: none.
  private static func fault<Tag: Equatable>(_ name: String, _ wanted: Tag, _ found: Tag?, ignoring: Tag?) -> String? {
    wanted == found || wanted == ignoring ? nil : "\(name) \(wanted)" + (found.map { ", but \($0)" } ?? "")
  }

  /// A message about chroma siting; readers assume left-sited chroma by default.
  private func sitingFaults(_ found: ChromaLocation?) -> [String] {
    let wanted = settings.color.chromaLocation
    return settings.layout.components == .ycbcr420 && found ?? .left != wanted
      ? ["the chroma siting \(wanted), but \(found.map { "\($0)" } ?? "none")"] : []
  }

  private func descriptionFaults(_ info: MediaInfo, _ video: VideoStreamInfo) -> [String] {
    var faults: [String] = []
    if info.chapters.count != settings.chapters.count {
      faults.append("its \(settings.chapters.count) chapters, but \(info.chapters.count)")
    }
    let (wanted, found) = (settings.color, video.color)
    faults += [
      Self.fault("the transfer characteristics", wanted.transfer, found.transfer, ignoring: .unspecified),
      Self.fault("the primaries", wanted.primaries, found.primaries, ignoring: .unspecified),
    ].compactMap(\.self)
    // Matrix and range are not needed for R'G'B' and grey.
    if ![.rgb, .gray].contains(settings.layout.components) {
      // Two code points of the same matrix.
      let synonyms: Set<MatrixCoefficients> = [.bt470BG, .smpte170M]
      let isSynonym = found.matrix.map { synonyms.isSuperset(of: [$0, wanted.matrix]) } ?? false
      faults += [
        isSynonym ? nil : Self.fault("the matrix", wanted.matrix, found.matrix, ignoring: .unspecified)
      ].compactMap(\.self)
      // Readers assume limited range by default.
      if found.range ?? .narrow != wanted.range {
        faults.append("\(wanted.range) range" + (found.range.map { ", but \($0)" } ?? ""))
      }
    }
    if let matrix = settings.displayMatrix {
      let isMirrored = video.displayMatrix?.isMirrored ?? false
      if matrix.rotation.rounded() != video.rotation.rounded() || matrix.isMirrored != isMirrored {
        let degrees = "\(Int(matrix.rotation.rounded())) degrees"
        faults.append(
          matrix.isMirrored ? "that the picture is mirrored and rotated by \(degrees)" : "the rotation by \(degrees)")
      }
    }
    if let aspect = settings.sampleAspectRatio, aspect.value != 1,
      abs((video.sampleAspectRatio?.value ?? 1) / aspect.value - 1) > 0.01
    {
      faults.append("the sample aspect ratio \(aspect.numerator):\(aspect.denominator)")
    }
    if settings.projection.count > video.projection.count {
      faults.append("the stereoscopic packing or spherical projection of the picture")
    }
    return faults
  }

  /// Dispositions that viewers and players use to select tracks.
  private static let choices: Set = [
    "forced", "hearing_impaired", "visual_impaired", "comment", "original", "dub", "lyrics", "karaoke",
  ]

  /// Messages about languages, titles and dispositions of video, audio and subtitles.
  private func tagFaults(_ info: MediaInfo) -> [String] {
    let written = streams.filter {
      [.video, .audio, .subtitle].contains($0.kind) && !$0.dispositions.contains("attached_pic")
    }
    func listed(_ name: String, _ values: [String]) -> [String] {
      if values.isEmpty { return [] }
      return ["the \(name)\(values.count == 1 ? "" : "s") \(values.map { "'\($0)'" }.joined(separator: ", "))"]
    }
    // FFmpeg's HLS demuxer drops tags and dispositions. TS segments keep languages, MP4 segments keep everything.
    let found = isPlaylist ? [] : info.streams
    let isFragmented = settings.muxerOptions.contains { $0 == ("hls_segment_type", "fmp4") }
    let languages = Set(isPlaylist ? [] : written.compactMap { $0.tags["language"] })
      .subtracting(found.compactMap(\.language) + ["und"])
    // FFmpeg writes track titles to MP4, but does not read them.
    let hidesTitles = isFragmented || ContainerTraits.of(info.formatName).family == .iso
    let titles = Set(hidesTitles ? [] : written.compactMap { $0.tags["title"] }).subtracting(found.compactMap(\.title))
    func count(_ choice: String, _ all: [[String]]) -> Int { all.count { $0.contains(choice) } }
    let choices = Self.choices.filter {
      !isFragmented && count($0, found.map(\.dispositions)) < count($0, written.map(\.dispositions))
    }
    return listed("language", languages.sorted()) + listed("title", titles.sorted())
      + listed("disposition", choices.sorted())
  }

  /// A stream as passed to the muxer.
  private struct Stream {
    let kind: StreamInfo.Kind
    /// FFmpeg's name of the codec.
    let codec: String
    let tags: [String: String]
    let dispositions: [String]

    init(_ track: Track) {
      let parameters = unsafe track.stream.pointee.codecpar
      kind = unsafe parameters.map { StreamInfo.Kind(unsafe $0.pointee.codec_type) } ?? .unknown
      codec = unsafe parameters.flatMap { unsafe text(avcodec_get_name($0.pointee.codec_id)) } ?? "unknown"
      tags = unsafe entries(track.stream.pointee.metadata)
      dispositions = dispositionNames(unsafe track.stream.pointee.disposition)
    }
  }
}

extension MasteringDisplay {
  /// Equality within the precision of AV1: 2^-16 for chromaticities, 2^-8 and 2^-14 cd/m² for maximum and minimum
  /// luminance.
  fileprivate func isSame(as other: MasteringDisplay) -> Bool {
    func isNear(_ a: Chromaticity, _ b: Chromaticity) -> Bool {
      abs(Int(a.x) - Int(b.x)) <= 1 && abs(Int(a.y) - Int(b.y)) <= 1
    }
    return isNear(red, other.red) && isNear(green, other.green) && isNear(blue, other.blue)
      && isNear(white, other.white) && abs(maxNits - other.maxNits) <= 0x1p-8
      && abs(minNits - other.minNits) <= 0x1p-14
  }
}
