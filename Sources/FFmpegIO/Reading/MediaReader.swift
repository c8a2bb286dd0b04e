internal import CFFmpeg
public import Frames
internal import Synchronization

/// Reads a file, or Y4M from standard input, and gives its pictures in presentation order.
///
/// Calls block: keep them off Swift's cooperative pool.
public final class MediaReader: @unchecked Sendable {
  // @unchecked: everything mutable is touched inside `lock` only.

  /// What a file may ask for at most.
  public struct Limits: Sendable, Hashable {
    /// Samples of one picture, width times height.
    public var maxPixels: Int

    public init(maxPixels: Int = 16_384 * 16_384) { self.maxPixels = maxPixels }
  }

  /// What decoding has met so far.
  public struct Statistics: Sendable, Hashable {
    /// Frames that were decoded, with those that a seek left out.
    public var frames = 0
    /// Frames among them that the decoder marked as damaged.
    public var damagedFrames = 0
    /// Frames among them that hold two fields.
    public var interlacedFrames = 0
    /// Packets that could not be decoded and reads that failed; their pictures are missing.
    public var decodeErrors = 0
    /// Messages of ST 2094-50 that were malformed and not used, and what was wrong with the first.
    public var ignoredToneMaps = 0
    public var ignoredReason: AdaptiveToneMapError?
  }

  public let info: MediaInfo
  /// The stream that is decoded.
  public let video: VideoStreamInfo

  private let lock = Mutex(())
  private var pictures: PictureStream
  private let wrapper: FrameWrapper
  private var counted = Statistics()
  private var pending: CodedFrame?
  private var hasEnded = false
  /// Frames before this time, in units of the stream's time base, are left out.
  private var start: Int64?

  /// Opens `url` and finds its best stream of moving pictures.
  /// - Parameters:
  ///   - url: A path, anything else that FFmpeg opens, or "-" for standard input.
  ///   - format: FFmpeg's name of the container; nil: found out from the content, Y4M on standard input.
  ///   - threads: Threads of the decoder; 0: as many as there are cores.
  ///   - limits: What is refused.
  /// - Throws: `FFmpegError` when there is nothing to decode.
  public init(
    url: String, format: String? = nil, threads: Int = 0, limits: Limits = Limits()
  ) throws(FFmpegError) {
    FFmpegLog.prepare()
    let location = Location(url, standardStream: "pipe:0")
    pictures = try PictureStream(
      .init(location: location, format: format, threads: threads, maxPixels: limits.maxPixels))
    info = pictures.demuxer.info()
    let index = unsafe Int(pictures.stream.pointee.index)
    guard let video = info.streams.first(where: { $0.index == index })?.video else {
      throw .noVideoStream(path: url)
    }
    self.video = video
    wrapper = FrameWrapper(video: video, path: url)
  }

  /// What a file says about itself; it need not have video.
  /// - Throws: `FFmpegError` when FFmpeg cannot open it.
  public static func probe(url: String, format: String? = nil) throws(FFmpegError) -> MediaInfo {
    FFmpegLog.prepare()
    return try Demuxer(Location(url, standardStream: "pipe:0"), format: format).info()
  }

  public var statistics: Statistics {
    lock.withLock { _ in
      var result = counted
      result.count(pictures)
      return result
    }
  }

  /// The next frame; nil at the end.
  /// - Throws: `FFmpegError` when not one frame of the file can be decoded, or one is in a format that cannot be
  ///   brought into a layout. Damage in the middle is counted, not thrown.
  public func readFrame() throws(FFmpegError) -> CodedFrame? {
    try lock.withLock { _ throws(FFmpegError) in
      if let frame = pending {
        pending = nil
        return frame
      }
      return try next()
    }
  }

  /// The frame that `readFrame()` gives next, which it will still give.
  /// - Throws: As `readFrame()`.
  public func peekFrame() throws(FFmpegError) -> CodedFrame? {
    try lock.withLock { _ throws(FFmpegError) in
      if pending == nil { pending = try next() }
      return pending
    }
  }

  /// Goes on with the first frame at or after a time.
  /// - Parameter seconds: From the start of the file, as `-ss` of ffmpeg; rounded to the stream's time base.
  /// - Throws: `FFmpegError` when the input cannot go back.
  public func seek(toSeconds seconds: Double) throws(FFmpegError) {
    try lock.withLock { _ throws(FFmpegError) in
      let ticks = ((seconds + (info.startTime ?? 0)) / video.timeBase.value).rounded()
      let target = ticks.isNaN ? 0 : Int64(exactly: ticks) ?? (ticks < 0 ? .min / 2 : .max / 2)
      start = nil
      hasEnded = false
      pending = try frame(near: target)
      start = target
      if let frame = pending, frame.time.presentation < target { pending = nil }
    }
  }

  /// The first frame after a seek that lands at or before `target`, tried from further and further back: containers
  /// seek by decoding time or to open groups of pictures.
  private func frame(near target: Int64) throws(FFmpegError) -> CodedFrame? {
    // A seek that failed may have moved the demuxer already.
    var hasMoved = pictures.packets > 0
    if pictures.isSeekable {
      hasMoved = true
      for secondsBack in [0.2, 2, 10, 60] {
        let ticks = Int64(exactly: (secondsBack / video.timeBase.value).rounded()) ?? 0
        guard pictures.seek(to: target.subtractingReportingOverflow(ticks).partialValue) else { break }
        wrapper.reset()
        if let frame = try decodeNext(), frame.time.presentation <= target { return frame }
      }
    }
    if hasMoved { try restart() }
    return try decodeNext()
  }

  /// Back to the very start.
  private func restart() throws(FFmpegError) {
    if !pictures.isRepeatable {
      throw .failed(.seek, path: info.url, code: 0, message: "the input is a stream that has been read on already")
    }
    counted.count(pictures)
    pictures = try PictureStream(pictures.source)
    wrapper.reset()
  }

  private func next() throws(FFmpegError) -> CodedFrame? {
    while !hasEnded {
      guard let frame = try decodeNext() else {
        hasEnded = true
        if counted.frames == 0 {
          throw .nothingDecoded(path: info.url, packets: pictures.packets, errors: pictures.errors)
        }
        return nil
      }
      if let start, frame.time.presentation < start { continue }
      return frame
    }
    return nil
  }

  private func decodeNext() throws(FFmpegError) -> CodedFrame? {
    guard let picture = try pictures.next() else { return nil }
    let frame = try wrapper.wrap(picture)
    counted.frames += 1
    if frame.isDamaged { counted.damagedFrames += 1 }
    if unsafe hr_frame_is_interlaced(picture.frame) != 0 { counted.interlacedFrames += 1 }
    return frame
  }
}

extension MediaReader.Statistics {
  /// Adds what a stream of pictures has met.
  fileprivate mutating func count(_ pictures: PictureStream) {
    decodeErrors += pictures.errors
    ignoredToneMaps += pictures.toneMaps.ignored
    ignoredReason = ignoredReason ?? pictures.toneMaps.reason
  }
}
