internal import Bitstreams
internal import CFFmpeg
internal import ColorScience
package import Frames
internal import Media

/// A C string that FFmpeg owns, or nil.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  unsafe pointer.map { unsafe String(cString: $0) }
}

/// The entries of an FFmpeg dictionary.
func entries(_ dictionary: OpaquePointer?) -> [String: String] {
  var result: [String: String] = [:]
  var entry: UnsafePointer<AVDictionaryEntry>?
  while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
    if let key = unsafe text(next.pointee.key), let value = unsafe text(next.pointee.value) { result[key] = value }
    unsafe entry = unsafe UnsafePointer(next)
  }
  return result
}

/// The names of FFmpeg's disposition flags.
func dispositionNames(_ flags: Int32) -> [String] {
  (0..<31).compactMap { bit in
    let flag = Int32(1) << Int32(bit)
    return flags & flag == 0 ? nil : unsafe text(av_disposition_to_string(flag))
  }
}

/// Frees an object by FFmpeg's function for its type.
@unsafe
func release<Object>(
  _ object: UnsafeMutablePointer<Object>, _ free: (UnsafeMutablePointer<UnsafeMutablePointer<Object>?>?) -> Void
) {
  var object: UnsafeMutablePointer<Object>? = unsafe object
  unsafe free(&object)
}

/// nil for FFmpeg's "no timestamp".
func known(_ timestamp: Int64) -> Int64? { timestamp == hr_no_timestamp() ? nil : timestamp }

extension StreamInfo {
  init?(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ pointer: UnsafeMutablePointer<AVStream>, png: PNGColor?
  ) {
    let stream = unsafe pointer.pointee
    guard let coded = unsafe stream.codecpar else { return nil }
    let parameters = unsafe coded.pointee
    let tags = unsafe entries(stream.metadata)
    let descriptor = unsafe avcodec_descriptor_get(parameters.codec_id)
    self.init(
      index: unsafe Int(stream.index), kind: Kind(unsafe parameters.codec_type),
      codecName: unsafe text(avcodec_get_name(parameters.codec_id)) ?? "unknown",
      codecLongName: unsafe text(descriptor?.pointee.long_name),
      profile: unsafe text(avcodec_profile_name(parameters.codec_id, parameters.profile)),
      level: unsafe parameters.level > 0 ? Int(parameters.level) : nil,
      codecTag: Self.printable(unsafe parameters.codec_tag),
      language: tags["language"], title: tags["title"],
      dispositions: dispositionNames(unsafe stream.disposition), timeBase: unsafe stream.time_base.rational,
      startTime: known(unsafe stream.start_time), duration: known(unsafe stream.duration),
      frameCount: unsafe stream.nb_frames > 0 ? Int(stream.nb_frames) : nil,
      bitRate: unsafe parameters.bit_rate > 0 ? Int(parameters.bit_rate) : nil,
      sideData: unsafe Self.sideDataNames(pointer), video: nil, audio: nil)
    switch kind {
    case .video: video = unsafe VideoStreamInfo(context, pointer, parameters, png: png)
    case .audio: audio = unsafe AudioStreamInfo(coded)
    default: break
    }
  }

  /// A four-character code, if it is printable.
  static func printable(_ code: UInt32) -> String? {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * UInt32($0))) }
    guard bytes.allSatisfy({ (32..<127).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func sideDataNames(_ stream: UnsafePointer<AVStream>) -> [String] {
    unsafe (0..<hr_stream_side_data_count(stream)).compactMap { index in
      unsafe text(av_packet_side_data_name(hr_stream_side_data(stream, index).pointee.type))
    }
  }
}

extension StreamInfo.Kind {
  init(_ type: AVMediaType) {
    switch type {
    case AVMEDIA_TYPE_VIDEO: self = .video
    case AVMEDIA_TYPE_AUDIO: self = .audio
    case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
    case AVMEDIA_TYPE_DATA: self = .data
    case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
    default: self = .unknown
    }
  }
}

extension VideoStreamInfo {
  init(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ pointer: UnsafeMutablePointer<AVStream>,
    _ parameters: AVCodecParameters, png: PNGColor?
  ) {
    let stream = unsafe pointer.pointee
    let format = unsafe AVPixelFormat(rawValue: parameters.format)
    let native = PixelFormats.native(format)
    var color = unsafe ColorTags(
      primaries: parameters.color_primaries, transfer: parameters.color_trc, matrix: parameters.color_space,
      range: parameters.color_range, chroma: parameters.chroma_location)
    if native?.isFullRange == true { color.range = .full }
    if let png { color = png.tags(over: color) }
    let primaries = png == nil ? unsafe parameters.color_primaries : color.avPrimaries
    let transfer = png == nil ? unsafe parameters.color_trc : color.avTransfer
    let range = png == nil ? unsafe parameters.color_range : color.avRange
    self.init(
      index: unsafe Int(stream.index),
      size: Size(width: unsafe Int(parameters.width), height: unsafe Int(parameters.height)),
      pixelFormatName: PixelFormats.name(format), layout: PixelFormats.layout(for: format),
      bitDepth: PixelFormats.bitDepth(format), color: color,
      primariesName: primaries == AVCOL_PRI_UNSPECIFIED ? nil : unsafe text(av_color_primaries_name(primaries)),
      transferName: transfer == AVCOL_TRC_UNSPECIFIED ? nil : unsafe text(av_color_transfer_name(transfer)),
      matrixName: unsafe parameters.color_space == AVCOL_SPC_UNSPECIFIED
        ? nil : text(av_color_space_name(parameters.color_space)),
      rangeName: range == AVCOL_RANGE_UNSPECIFIED ? nil : unsafe text(av_color_range_name(range)),
      chromaLocationName: unsafe parameters.chroma_location == AVCHROMA_LOC_UNSPECIFIED
        ? nil : text(av_chroma_location_name(parameters.chroma_location)),
      fieldOrder: Self.name(unsafe parameters.field_order),
      sampleAspectRatio: unsafe av_guess_sample_aspect_ratio(context, pointer, nil).known,
      averageFrameRate: unsafe stream.avg_frame_rate.known, realFrameRate: unsafe stream.r_frame_rate.known,
      timeBase: unsafe stream.time_base.rational, displayMatrix: unsafe DisplayMatrix(stream: pointer),
      projection: unsafe StreamSideData.all(on: pointer).filter(\.isProjection),
      metadata: (png?.metadata ?? HDRMetadata()).merged(over: unsafe HDRMetadata(stream: pointer)))
  }

  private static func name(_ order: AVFieldOrder) -> String? {
    switch order {
    case AV_FIELD_PROGRESSIVE: "progressive"
    case AV_FIELD_TT: "tt"
    case AV_FIELD_BB: "bb"
    case AV_FIELD_TB: "tb"
    case AV_FIELD_BT: "bt"
    default: nil
    }
  }

  /// FFmpeg's frame rate for stills.
  private static let stillRate = Rational(25, 1)

  /// Stream information from a picture.
  package init(still frame: CodedFrame, orientation: Orientation = .identity) {
    let color = frame.color
    self.init(
      index: 0, size: frame.size, pixelFormatName: frame.layout.words, layout: frame.layout,
      bitDepth: frame.layout.bitDepth,
      color: ColorTags(
        primaries: color.primaries, transfer: color.transfer, matrix: color.matrix, range: color.range,
        chromaLocation: color.chromaLocation),
      primariesName: unsafe text(av_color_primaries_name(color.avPrimaries)),
      transferName: unsafe text(av_color_transfer_name(color.avTransfer)),
      matrixName: unsafe text(av_color_space_name(color.avMatrix)),
      rangeName: unsafe text(av_color_range_name(color.avRange)), averageFrameRate: Self.stillRate,
      realFrameRate: Self.stillRate, timeBase: frame.time.timeBase,
      displayMatrix: orientation == .identity ? nil : DisplayMatrix(orientation), projection: [],
      metadata: frame.metadata)
  }
}

extension AudioStreamInfo {
  init(_ parameters: UnsafePointer<AVCodecParameters>) {
    var buffer = [CChar](repeating: 0, count: 128)
    let length = unsafe hr_audio_layout(parameters, &buffer, buffer.count)
    let words = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(
      sampleRate: unsafe Int(parameters.pointee.sample_rate), channels: unsafe Int(hr_audio_channels(parameters)),
      layout: length > 0 ? String(decoding: words, as: UTF8.self) : nil,
      sampleFormat: unsafe text(av_get_sample_fmt_name(AVSampleFormat(rawValue: parameters.pointee.format))))
  }
}

extension Chapter {
  init(_ chapter: UnsafePointer<AVChapter>) {
    self.init(
      id: unsafe Int64(chapter.pointee.id), start: unsafe chapter.pointee.start, end: unsafe chapter.pointee.end,
      timeBase: unsafe chapter.pointee.time_base.rational, tags: unsafe entries(chapter.pointee.metadata))
  }
}

extension MediaInfo {
  /// Whether the format is a still picture format: FFmpeg's demuxers of single and of numbered files.
  var isOfPictures: Bool { formatName.hasSuffix("_pipe") || ContainerTraits.of(formatName).family == .pictures }

  /// The description of a single-picture file that FFmpeg does not read.
  package init(
    still frame: CodedFrame, orientation: Orientation, formatName: String, codecName: String, longName: String,
    url: String
  ) {
    let stream = StreamInfo(
      index: 0, kind: .video, codecName: codecName, dispositions: ["default"],
      timeBase: frame.time.timeBase, startTime: 0, frameCount: 1, sideData: [],
      video: VideoStreamInfo(still: frame, orientation: orientation))
    self.init(
      url: url, formatName: formatName, formatLongName: longName,
      byteCount: Location(url, standardStream: "pipe:0").byteCount, tags: [:], chapters: [], streams: [stream])
  }
}
