internal import CFFmpeg
public import Frames
public import Media

/// Everything a writer needs to copy a stream's packets: parameters, times, tags, side data.
@safe
public final class StreamCopy: @unchecked Sendable {
  // @unchecked: nothing changes after `init`.
  // @safe: the pointer does not leave this module, and is freed with this object.
  let parameters: UnsafeMutablePointer<AVCodecParameters>
  /// Index in the source.
  public let index: Int
  /// The kind of data in the stream.
  public let kind: StreamInfo.Kind
  /// FFmpeg's name of the codec.
  public let codecName: String
  /// Length of one unit of its timestamps in seconds.
  public let timeBase: Rational
  /// Language, title and other tags.
  public let tags: [String: String]
  /// Names as in ffprobe: "default", "forced", ...
  public let dispositions: [String]
  let disposition: Int32
  let sideData: [StreamSideData]
  let sampleAspectRatio: AVRational
  let averageFrameRate: AVRational
  /// The picture of a cover.
  let cover: [UInt8]

  init(_ stream: UnsafePointer<AVStream>) throws(FFmpegError) {
    guard let source = unsafe stream.pointee.codecpar, let parameters = unsafe avcodec_parameters_alloc()
    else { throw .outOfMemory }
    unsafe self.parameters = unsafe parameters
    index = unsafe Int(stream.pointee.index)
    kind = StreamInfo.Kind(unsafe source.pointee.codec_type)
    codecName = unsafe text(avcodec_get_name(source.pointee.codec_id)) ?? "unknown"
    timeBase = unsafe stream.pointee.time_base.rational
    tags = unsafe entries(stream.pointee.metadata)
    disposition = unsafe stream.pointee.disposition
    dispositions = dispositionNames(disposition)
    sideData = unsafe StreamSideData.all(on: stream)
    sampleAspectRatio = unsafe stream.pointee.sample_aspect_ratio
    averageFrameRate = unsafe stream.pointee.avg_frame_rate
    let picture = unsafe stream.pointee.attached_pic
    cover = unsafe picture.data.map { unsafe [UInt8](UnsafeBufferPointer(start: $0, count: Int(picture.size))) } ?? []
    if unsafe avcodec_parameters_copy(parameters, source) < 0 { throw .outOfMemory }
  }

  /// The stream after encoding.
  init(_ source: StreamCopy, encodedBy encoder: UnsafePointer<AVCodecContext>) throws(FFmpegError) {
    guard let parameters = unsafe avcodec_parameters_alloc() else { throw .outOfMemory }
    unsafe self.parameters = unsafe parameters
    (index, kind, tags) = (source.index, source.kind, source.tags)
    codecName = unsafe text(avcodec_get_name(encoder.pointee.codec_id)) ?? "unknown"
    timeBase = unsafe encoder.pointee.time_base.rational
    (disposition, dispositions) = (source.disposition, source.dispositions)
    (sideData, cover) = ([], [])
    (sampleAspectRatio, averageFrameRate) = (AVRational(num: 0, den: 1), AVRational(num: 0, den: 1))
    if unsafe avcodec_parameters_from_context(parameters, encoder) < 0 { throw .outOfMemory }
  }

  deinit { unsafe release(parameters, avcodec_parameters_free) }

  /// Whether it is a cover picture rather than a timed stream.
  public var isCover: Bool { disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }

  /// Audio properties, as far as known; nil unless it is audio.
  public var audio: AudioStreamInfo? { kind == .audio ? unsafe AudioStreamInfo(parameters) : nil }

  /// In bits per second, if stated.
  public var bitRate: Int? {
    let rate = unsafe parameters.pointee.bit_rate
    return rate > 0 ? Int(rate) : nil
  }

  /// Whether it is text subtitles rather than bitmaps.
  public var isText: Bool {
    unsafe (avcodec_descriptor_get(parameters.pointee.codec_id)?.pointee.props ?? 0) & AV_CODEC_PROP_TEXT_SUB != 0
  }

  /// "#1 audio aac (eng)", for messages; the container's code if FFmpeg has no name for the codec.
  public var words: String {
    let code = StreamInfo.printable(unsafe parameters.pointee.codec_tag)
    let name = codecName == "none" ? tags["filename"] ?? code ?? "of an unknown kind" : codecName
    return "#\(index) \(kind.rawValue) \(name)" + (tags["language"].map { $0 == "und" ? "" : " (\($0))" } ?? "")
  }
}

extension StreamSideData {
  static func all(on stream: UnsafePointer<AVStream>) -> [StreamSideData] {
    unsafe (0..<hr_stream_side_data_count(stream)).compactMap { index in
      let entry = unsafe hr_stream_side_data(stream, index).pointee
      guard let data = unsafe entry.data else { return nil }
      let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: Int(entry.size)))
      return unsafe StreamSideData(type: entry.type.rawValue, bytes: bytes)
    }
  }

  /// Whether it describes the projection: stereoscopic packing or spherical projection, besides the display matrix.
  var isProjection: Bool {
    type == AV_PKT_DATA_STEREO3D.rawValue || type == AV_PKT_DATA_SPHERICAL.rawValue
  }

  func add(to stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    let code = unsafe hr_stream_add_side_data(stream, AVPacketSideDataType(rawValue: type), bytes, bytes.count)
    if code < 0 { throw .outOfMemory }
  }
}

extension DisplayMatrix {
  /// The matrix as side data of a stream.
  var sideData: StreamSideData {
    StreamSideData(
      type: AV_PKT_DATA_DISPLAYMATRIX.rawValue, bytes: unsafe elements.withUnsafeBytes { unsafe [UInt8]($0) })
  }
}
