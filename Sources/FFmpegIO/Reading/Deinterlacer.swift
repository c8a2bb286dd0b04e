internal import CFFmpeg
internal import ColorScience
internal import Frames
internal import Media

/// Deinterlaces decoded pictures that are flagged as interlaced; others are passed on unchanged.
///
/// FFmpeg's `bwdif` uses the previous and the next picture, so frames are delayed by one picture. They do not depend on
/// where decoding began: after a seek, the first picture only serves as context.
final class Deinterlacer {
  /// A frame and its display time.
  struct Output {
    let picture: Picture
    let time: FrameTime
  }

  /// A picture with incomplete frames.
  private struct Pending {
    let picture: Picture
    let time: FrameTime
    /// Whether it only serves as context for the next one.
    let isContext: Bool
    var frames = 0
  }

  private let mode: Deinterlacing
  /// Duration of a picture in ticks, if the next one does not determine it.
  private let nominalDuration: Int64
  private let threads: Int
  private let path: String
  private var graph: DeinterlacingGraph?
  private var converter: PictureConverter?
  private var pending: [Int64: Pending] = [:]
  private var number: Int64 = 0
  private var ready: [Output] = []
  /// Time of the first whole picture after a seek; nil once it was seen.
  private var wholeFrom: Int64?
  /// Number of interlaced pictures so far.
  private(set) var count = 0

  /// - Parameter nominalDuration: Ticks of a picture at the nominal rate.
  init(_ mode: Deinterlacing, nominalDuration: Int64, threads: Int, path: String) {
    (self.mode, self.nominalDuration, self.threads, self.path) = (mode, nominalDuration, threads, path)
  }

  /// Forgets earlier pictures.
  /// - Parameter begin: Time of the first whole picture after a seek; nil at the start of a file.
  func reset(from begin: Int64? = nil) {
    (graph, wholeFrom) = (nil, begin)
    (pending, ready) = ([:], [])
  }

  /// The next complete frame.
  func next() -> Output? { ready.isEmpty ? nil : ready.removeFirst() }

  /// Takes the next picture.
  func push(_ picture: Picture, at time: FrameTime) throws(FFmpegError) {
    let isInterlaced = unsafe hr_frame_is_interlaced(picture.frame) != 0
    if isInterlaced { count += 1 }
    let taken = try self.taken(picture)
    let graph = try prepare(for: taken, isInterlaced: isInterlaced)
    var isContext = false
    if let wholeFrom {
      isContext = true
      if time.presentation >= wholeFrom { self.wholeFrom = nil }
    }
    pending[number] = Pending(picture: taken, time: time, isContext: isContext)
    try graph.send(taken, number: number, path: path)
    number += 1
    try drain(graph)
  }

  /// Completes the last frames at the end of the stream.
  func finish() throws(FFmpegError) {
    guard let graph else { return }
    self.graph = nil
    try graph.send(nil, number: number, path: path)
    try drain(graph)
    pending = [:]
  }

  /// The graph for a picture; a new one at the start or when the format changes.
  private func prepare(for picture: Picture, isInterlaced: Bool) throws(FFmpegError) -> DeinterlacingGraph {
    if let graph, graph.takes(picture) { return graph }
    try finish()
    guard let graph = try DeinterlacingGraph(like: picture, mode, threads: threads)
    else { throw .cannotDeinterlace(name: PixelFormats.name(picture.format) ?? "unknown", picture.size, path: path) }
    (self.graph, number) = (graph, 0)
    // The filter treats the first interlaced picture as the beginning of the film.
    if wholeFrom != nil || !isInterlaced {
      let first = try Picture(sharing: picture)
      unsafe hr_frame_set_interlaced(first.frame, 1)
      try graph.send(first, number: -1, path: path)
    }
    return graph
  }

  /// The picture in a format that the filter supports.
  private func taken(_ picture: Picture) throws(FFmpegError) -> Picture {
    if let graph, graph.takes(picture) { return picture }
    // Packed and semi-planar samples are converted to planar ones, unless that loses alpha.
    guard let layout = PixelFormats.layout(for: picture.format), !PixelFormats.hasAlpha(picture.format),
      PixelFormats.native(picture.format) == nil || layout.packing != .planar
    else { return picture }
    let range: VideoRange = unsafe picture.frame.pointee.color_range == AVCOL_RANGE_JPEG ? .full : .narrow
    let color = ColorDescription(
      primaries: .unspecified, transfer: .unspecified, matrix: layout.components == .rgb ? .rgb : .bt709, range: range)
    let key = PictureConverter.Key(
      format: picture.format, size: picture.size, targetLayout: layout.planar, targetSize: picture.size, color: color,
      isByField: layout.components != .rgb && layout.dividesIntoFields(height: picture.size.height))
    let made: PictureConverter
    if let converter, converter.converts(key) { made = converter } else { made = try PictureConverter(key, path: path) }
    converter = made
    let result = try made.convert(picture, path: path)
    (result.isDamaged, result.messages) = (picture.isDamaged, picture.messages)
    return result
  }

  private func drain(_ graph: DeinterlacingGraph) throws(FFmpegError) {
    while let (picture, time) = try graph.receive(path: path) {
      let number = time >> 1
      guard let source = pending[number] else { continue }
      pending[number]?.frames += 1
      pending[number - 1] = nil
      if source.isContext { continue }
      unsafe hr_frame_set_progressive(picture.frame)
      (picture.isDamaged, picture.messages) = (source.picture.isDamaged, source.picture.messages)
      // Prevents captions from being decoded twice.
      if source.frames > 0 { unsafe av_frame_remove_side_data(picture.frame, AV_FRAME_DATA_A53_CC) }
      let isWhole = picture.shares(source.picture)
      ready.append(
        Output(picture: picture, time: self.time(source, until: pending[number + 1]?.time, isWhole: isWhole)))
    }
  }

  /// The display time of a frame: with the first field of its picture, or halfway to the next picture.
  private func time(_ source: Pending, until next: FrameTime?, isWhole: Bool) -> FrameTime {
    var time = source.time
    guard mode == .field else { return time }
    // In half ticks, a picture is as long as a field in ticks.
    let step = next.map { $0.presentation &- time.presentation } ?? max(time.duration, nominalDuration)
    // The next picture may be missing.
    let half = (1...2 * nominalDuration).contains(step) ? step : nominalDuration
    time.timeBase = time.timeBase.halved
    time.presentation = time.presentation &* 2 &+ (source.frames == 0 ? 0 : half)
    time.duration = isWhole ? time.duration &* 2 : time.duration == 0 ? 0 : half
    return time
  }
}

extension Picture {
  /// Another picture over the same samples, with the same properties.
  convenience init(sharing other: Picture) throws(FFmpegError) {
    guard let share = unsafe av_frame_clone(other.frame) else { throw .outOfMemory }
    unsafe self.init(adopting: share)
    (isDamaged, messages) = (other.isDamaged, other.messages)
  }

  /// Whether both have the same samples.
  func shares(_ other: Picture) -> Bool { unsafe hr_frame_plane(frame, 0) == hr_frame_plane(other.frame, 0) }
}

/// FFmpeg's `bwdif`, for pictures of one format and size.
@safe
final class DeinterlacingGraph {
  // @safe: the graph owns the filters, does not leave this object, and is freed with it.
  private let graph: UnsafeMutablePointer<AVFilterGraph>
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let format: AVPixelFormat
  private let size: Size

  /// - Parameters:
  ///   - picture: A picture in the format of all that will be sent.
  ///   - threads: Threads that share the rows of a picture, without changing the result; 0: one per core.
  /// - Returns: nil if `bwdif` does not support such pictures.
  init?(like picture: Picture, _ mode: Deinterlacing, threads: Int) throws(FFmpegError) {
    guard let graph = unsafe avfilter_graph_alloc() else { throw .outOfMemory }
    let made = unsafe FFmpegLog.listening { unsafe Self.fill(graph, like: picture, mode, threads: threads) }.result
    guard let (source, sink) = unsafe made else {
      unsafe release(graph, avfilter_graph_free)
      return nil
    }
    unsafe (self.graph, self.source, self.sink) = unsafe (graph, source, sink)
    (format, size) = (picture.format, picture.size)
  }

  private static func fill(
    _ graph: UnsafeMutablePointer<AVFilterGraph>, like picture: Picture, _ mode: Deinterlacing, threads: Int
  ) -> (source: UnsafeMutablePointer<AVFilterContext>, sink: UnsafeMutablePointer<AVFilterContext>)? {
    unsafe graph.pointee.nb_threads = Int32(clamping: threads)
    unsafe hr_filter_graph_forbid_conversions(graph)
    let settings = "mode=send_\(mode.rawValue):parity=auto:deint=interlaced"
    guard let source = unsafe avfilter_graph_alloc_filter(graph, avfilter_get_by_name("buffer"), "source"),
      let filter = unsafe avfilter_graph_alloc_filter(graph, avfilter_get_by_name("bwdif"), "bwdif"),
      let sink = unsafe avfilter_graph_alloc_filter(graph, avfilter_get_by_name("buffersink"), "sink"),
      unsafe hr_filter_source_set(source, picture.frame) >= 0, unsafe avfilter_init_str(filter, settings) >= 0,
      unsafe avfilter_init_str(sink, nil) >= 0, unsafe avfilter_link(source, 0, filter, 0) >= 0,
      unsafe avfilter_link(filter, 0, sink, 0) >= 0, unsafe avfilter_graph_config(graph, nil) >= 0
    else { return nil }
    return unsafe (source, sink)
  }

  deinit { unsafe release(graph, avfilter_graph_free) }

  func takes(_ picture: Picture) -> Bool { picture.format == format && picture.size == size }

  /// - Parameters:
  ///   - picture: The next picture; nil: end of stream.
  ///   - number: Its time for the filter, which returns frames with twice that time.
  func send(_ picture: Picture?, number: Int64, path: String) throws(FFmpegError) {
    var share = unsafe picture.flatMap { unsafe av_frame_clone($0.frame) }
    guard unsafe picture == nil || share != nil else { throw .outOfMemory }
    defer { unsafe av_frame_free(&share) }
    unsafe share?.pointee.pts = number
    let code = unsafe av_buffersrc_add_frame_flags(source, share, 0)
    if code < 0 { throw .failure(.deinterlace, path, code) }
  }

  /// The next frame, and twice the number of its picture; nil until another picture is sent.
  func receive(path: String) throws(FFmpegError) -> (picture: Picture, time: Int64)? {
    let picture = try Picture()
    let code = unsafe av_buffersink_get_frame(sink, picture.frame)
    if code == hr_error_again() || code == hr_error_eof() { return nil }
    if code < 0 { throw .failure(.deinterlace, path, code) }
    return unsafe (picture, picture.frame.pointee.pts)
  }
}
