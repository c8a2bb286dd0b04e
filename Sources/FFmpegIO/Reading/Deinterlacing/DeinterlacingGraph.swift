internal import CFFmpeg
internal import Frames
internal import Media

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
      var unused: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
      unsafe avfilter_graph_free(&unused)
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

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
    unsafe avfilter_graph_free(&graph)
  }

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
