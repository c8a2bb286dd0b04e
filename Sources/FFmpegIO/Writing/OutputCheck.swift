internal import CFFmpeg
internal import ColorScience
internal import Frames
internal import Media

/// Opens a finished file again, before it gets its name, and compares what it holds with what was asked for.
struct OutputCheck {
  /// What a finished file does not hold.
  struct Findings {
    /// What was damaged, and what nobody insisted on, a sentence each.
    var losses: [String] = []
    /// What was to be in the file and is not, as parts of a sentence.
    var missing: [String] = []
  }

  private let settings: MediaWriter.Settings
  /// The streams that were written: what they carry, and FFmpeg's name of the codec.
  private let streams: [(kind: StreamInfo.Kind, codec: String)]
  private let videoCodec: String
  private let path: String?

  init(_ settings: MediaWriter.Settings, _ output: WriterOutput) {
    self.settings = settings
    // Of a stream without a packet some containers know nothing.
    streams = output.muxer.tracks.filter { $0.packets > 0 }.map(Self.contents)
    videoCodec = Self.contents(output.video).codec
    path = output.muxer.isReadable ? output.muxer.file.temporaryPath : nil
  }

  private static func contents(_ track: Track) -> (kind: StreamInfo.Kind, codec: String) {
    guard let parameters = unsafe track.stream.pointee.codecpar else { return (.unknown, "unknown") }
    return (
      StreamInfo.Kind(unsafe parameters.pointee.codec_type),
      unsafe text(avcodec_get_name(parameters.pointee.codec_id)) ?? "unknown"
    )
  }

  /// What the file does not hold; nothing where the output is no file that can be read.
  /// - Throws: `FFmpegError.notKept` when the pictures are missing or broken: the file is worth nothing then.
  func result() throws(FFmpegError) -> Findings {
    guard let path else { return Findings() }
    let location = Location("file:" + path, standardStream: "")
    let source = PictureStream.Source(location: location, format: nil, video: nil, threads: 1, maxPixels: .max)
    let (info, index, first) = try read(source)
    guard let video = info.streams.first(where: { $0.index == index })?.video else {
      throw .notKept(path: settings.url, what: ["its video stream"])
    }
    if Self.family(info.streams[index].codecName) != Self.family(videoCodec) {
      throw .notKept(path: settings.url, what: ["its video stream of \(videoCodec)"])
    }
    let metadata = metadataFaults(
      container: video.metadata, frame: first, isMatroska: info.formatName.contains("matroska"))
    let noted = (settings.insistsOnMetadata ? [] : metadata) + descriptionFaults(info, video)
    return Findings(
      losses: noted.map { "The output does not hold \($0)." },
      missing: missingStreams(in: info) + (settings.insistsOnMetadata ? metadata : []))
  }

  /// The file's description, the place of its video, and the metadata of its first frame.
  private func read(
    _ source: PictureStream.Source
  ) throws(FFmpegError) -> (MediaInfo, index: Int, HDRMetadata) {
    let pictures = try PictureStream(source)
    let info = pictures.demuxer.info()
    if let picture = try pictures.next()?.picture {
      return unsafe (info, pictures.index, HDRMetadata(frame: picture.frame))
    }
    // An edit list hides what lies before time zero, which may be all that was selected.
    if settings.beginsAtZero { throw .notKept(path: settings.url, what: ["a picture that can be decoded"]) }
    return (info, pictures.index, HDRMetadata())
  }

  private func missingStreams(in info: MediaInfo) -> [String] {
    var found = info.streams.map { "\($0.kind.rawValue) stream of \(Self.family($0.codecName))" }
    return streams.compactMap { stream in
      // Pictures of a cover come back under the kind and codec that the container gives them.
      if stream.kind == .attachment { return nil }
      let name = "\(stream.kind.rawValue) stream of \(Self.family(stream.codec))"
      guard let index = found.firstIndex(of: name) else {
        return "\(stream.kind == .audio ? "an" : "a") \(stream.kind.rawValue) stream of \(stream.codec)"
      }
      found.remove(at: index)
      return nil
    }
  }

  /// Codecs that containers have one code for.
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

  /// Metadata that is in neither place, or in one of them with other values.
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
      // FFmpeg 5.1 reads no light level from Matroska whose MaxFALL is 0; it writes it.
      if found.isEmpty, wanted.maxFALL == 0, isMatroska { return faults }
      if found.isEmpty || !found.allSatisfy({ $0 == wanted }) {
        faults.append(wanted.words)
      }
    }
    return faults
  }

  private func descriptionFaults(_ info: MediaInfo, _ video: VideoStreamInfo) -> [String] {
    var faults: [String] = []
    if info.chapters.count != settings.chapters.count {
      faults.append("its \(settings.chapters.count) chapters, but \(info.chapters.count)")
    }
    if let found = video.color.transfer, found != settings.color.transfer {
      faults.append("the transfer characteristics \(settings.color.transfer), but \(found)")
    }
    if let found = video.color.primaries, found != settings.color.primaries {
      faults.append("the primaries \(settings.color.primaries), but \(found)")
    }
    if let matrix = settings.displayMatrix {
      let isMirrored = video.displayMatrix?.isMirrored ?? false
      if matrix.rotation.rounded() != video.rotation.rounded() || matrix.isMirrored != isMirrored {
        let degrees = "\(Int(matrix.rotation.rounded())) degrees"
        faults.append(
          matrix.isMirrored ? "that the picture is mirrored and turned by \(degrees)" : "the rotation by \(degrees)")
      }
    }
    if let aspect = settings.sampleAspectRatio, aspect.value != 1,
      abs((video.sampleAspectRatio?.value ?? 1) / aspect.value - 1) > 0.01
    {
      faults.append("the sample aspect ratio \(aspect.numerator):\(aspect.denominator)")
    }
    if settings.projection.count > video.projection.count {
      faults.append("how the picture is packed for two eyes or projected on a sphere")
    }
    for copy in settings.streams.compactMap(\.source) {
      guard let language = copy.tags["language"], language != "und" else { continue }
      if !info.streams.contains(where: { $0.language == language }) { faults.append("the language '\(language)'") }
    }
    return faults
  }
}

extension MasteringDisplay {
  /// The same within the units of AV1: 2^-16 for chromaticities, 2^-8 and 2^-14 cd/m² for the largest and the smallest
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
