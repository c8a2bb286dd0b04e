internal import Bitstreams
internal import CFFmpeg
public import Compositing
public import Frames
public import Media
internal import Synchronization

/// Reads a file, or Y4M from standard input, and returns its pictures in presentation order, interleaved with packets
/// of other streams.
///
/// Calls block: keep them off Swift's cooperative pool.
public final class MediaReader: MediaInput, @unchecked Sendable {
  // @unchecked: all mutable state is accessed inside `lock`.

  public let info: MediaInfo
  /// The decoded stream, with the rate and times of the delivered frames.
  public internal(set) var video: VideoStreamInfo
  /// The same stream, as in the file.
  let stream: VideoStreamInfo

  let lock = Mutex(())
  var pictures: PictureStream
  let wrapper: FrameWrapper
  var deinterlacer: Deinterlacer?
  var counted = ReadStatistics()
  var passed: [StreamCopy] = []
  /// Items read ahead.
  var pending: [StreamItem] = []
  var hasEnded = false
  /// Whether a picture was decoded, possibly one that a seek skipped.
  var hasDecoded = false
  /// Frames before this time, in units of `video`, are skipped.
  var start: Int64?
  private let limits: ReadLimits
  private let interruption: ReadInterruption
  /// Static metadata of the file's first picture, once read.
  var firstMetadata: HDRMetadata?
  /// Whether seeking by time is meaningful, once checked.
  var isSeekable: Bool?

  /// Opens `url` and selects its best video stream.
  /// - Parameters:
  ///   - url: A path, a URL of an allowed protocol, or "-" for standard input.
  ///   - format: FFmpeg's name of the container; nil: detected from the content, Y4M on standard input. Formats that
  ///     reference other files must be specified, here or by the file name suffix.
  ///   - videoIndex: Index of the stream to decode; nil: FFmpeg's best choice.
  ///   - threads: Threads of the decoder; 0: one per core.
  ///   - limits: Limits on what a file may demand.
  ///   - bytes: The range of a local file that is read, as if it were the file; nil: all of it.
  ///   - opened: Called with the file's description as soon as it is open, even if it has no video.
  /// - Throws: `FFmpegError` if nothing can be decoded.
  public convenience init(
    url: String, format: String? = nil, videoIndex: Int? = nil, threads: Int = 0, limits: ReadLimits = ReadLimits(),
    bytes: Range<Int>? = nil, opened: (MediaInfo) -> Void = { _ in }
  ) throws(FFmpegError) {
    let location =
      if let bytes { Location(bytes, of: url) } else { try Location(input: url, ProtocolPolicy(limits.protocols)) }
    try self.init(location, format, videoIndex, threads, limits, opened)
  }

  private init(
    _ location: Location, _ format: String?, _ videoIndex: Int?, _ threads: Int, _ limits: ReadLimits,
    _ opened: (MediaInfo) -> Void
  ) throws(FFmpegError) {
    FFmpegLog.prepare()
    if location.statedEnd?.isFollowed ?? false { throw .holdsSeveralFiles(path: location.name) }
    let source = PictureStream.Source(
      location: location, format: format, protocols: ProtocolPolicy(limits.protocols), video: videoIndex,
      threads: threads, maxPixels: limits.maxPixels)
    interruption = source.interruption
    self.limits = limits
    pictures = try PictureStream(source) { opened($0.info()) }
    info = try pictures.info()
    let (index, png) = (pictures.index, pictures.demuxer.png)
    guard let video = info.streams.first(where: { $0.index == index })?.video
    else { throw .noVideoStream(path: location.name) }
    (self.video, stream) = (video, video)
    wrapper = FrameWrapper(video: video, png: png, isOfPictures: info.isOfPictures, path: location.name)
  }

  /// Sets the background of pictures with alpha (black by default); call this before reading the first.
  public func composite(_ compositing: Compositing) { lock.withLock { _ in wrapper.compositing = compositing } }

  /// Notes on how the pictures so far were read, a sentence each.
  public var notes: [String] {
    lock.withLock { _ in
      [startNote, apertureNote, wrapper.alphaNote].compactMap(\.self)
        + pictures.demuxer.t35Streams.map {
          "Stream #\($0) holds timed metadata of T.35, such as ST 2094-50, which is neither used nor copied."
        }
    }
  }

  private var apertureNote: String? {
    stream.aperture.map { "The container shows \($0.area) of pictures of \($0.size), which are cropped to it." }
  }

  private var startNote: String? {
    let count = pictures.skippedAtStart
    if count == 0 { return nil }
    return "It begins inside a group of pictures: its first \(count == 1 ? "picture" : "\(count) pictures") "
      + "cannot be decoded and \(count == 1 ? "is" : "are") left out."
  }

  /// A file's description; it need not have video.
  /// - Throws: `FFmpegError` if FFmpeg cannot open it.
  public static func probe(
    url: String, format: String? = nil, protocols: [String] = []
  ) throws(FFmpegError) -> MediaInfo {
    FFmpegLog.prepare()
    let policy = ProtocolPolicy(protocols)
    return try Demuxer(Location(input: url, policy), format: format, protocols: policy).info()
  }

  /// Whether an input can be opened a second time, which is true of files but not of pipes and terminals.
  public static func isRepeatable(url: String) -> Bool {
    let location = Location(url, standardStream: "pipe:0")
    return location.descriptor == nil && !(location.path.map(PipeInput.isStream) ?? false)
  }

  public var statistics: ReadStatistics {
    lock.withLock { _ in
      var result = counted
      result.count(pictures)
      result.unrecognizedProfile = wrapper.unrecognizedProfile
      result.deinterlacedPictures = deinterlacer?.count ?? 0
      return result
    }
  }

  /// Indices of the streams that match an FFmpeg stream specifier ("v", "a:1", "s:m:language:eng"; "" is all).
  /// - Throws: `FFmpegError.invalidSpecifier`.
  public func streams(matching specifier: String) throws(FFmpegError) -> [Int] {
    try lock.withLock { _ throws(FFmpegError) in try pictures.demuxer.streams(matching: specifier) }
  }

  /// The data that a writer needs to copy a stream; nil: no stream at this index.
  /// - Throws: `FFmpegError.outOfMemory`.
  public func streamCopy(_ index: Int) throws(FFmpegError) -> StreamCopy? {
    try lock.withLock { _ throws(FFmpegError) in
      let streams = unsafe pictures.demuxer.streams
      return try unsafe streams.indices.contains(index) ? StreamCopy(streams[index]) : nil
    }
  }

  /// Passes the packets of other streams along with the frames; call this before reading the first.
  /// - Throws: `FFmpegError.outOfMemory`.
  public func pass(_ indices: [Int]) throws(FFmpegError) {
    var copies: [StreamCopy] = []
    for index in indices { if let copy = try streamCopy(index) { copies.append(copy) } }
    lock.withLock { _ in
      passed = copies
      pictures.pass(copies)
    }
  }

  public var isStill: Bool {
    let stream = info.streams.first { $0.index == video.index }
    return info.isOfPictures || stream?.frameCount == 1
  }

  /// Makes a blocking call return, from any thread; nothing more is read.
  public func interrupt() { interruption.set() }

  /// The next frame and the packets before it; nil at the end.
  /// - Throws: `FFmpegError` if no frame of the file can be decoded, one cannot be converted to a supported layout, the
  ///   system cannot read on, or there is more damage than the limits allow. Other damage is counted.
  public func read() throws(FFmpegError) -> StreamItem? {
    try lock.withLock { _ throws(FFmpegError) in pending.isEmpty ? try next() : pending.removeFirst() }
  }

  /// The next frame, without passing data; nil at the end.
  /// - Throws: As `read()`.
  public func readFrame() throws(FFmpegError) -> CodedFrame? {
    while let item = try read() {
      if let frame = item.frame { return frame }
    }
    return nil
  }

  /// The next frame, without consuming it.
  /// - Throws: As `read()`, and if no frame follows for a long time.
  public func peekFrame() throws(FFmpegError) -> CodedFrame? {
    try lock.withLock { _ throws(FFmpegError) in
      if let frame = pending.lazy.compactMap(\.frame).first { return frame }
      var held = 0
      while let item = try next() {
        pending.append(item)
        if let frame = item.frame { return frame }
        held += (item.passing as? PacketBatch)?.byteCount ?? 0
        if held > limits.maxBytesBeforePicture { throw .noPictureSoFar(path: info.url, bytes: held) }
      }
      return nil
    }
  }

  /// Stops decoding pictures: only packets of other streams follow.
  /// - Parameter limit: Seconds in file time; reading ends once any stream is beyond it.
  public func stopDecoding(limit: Double) {
    lock.withLock { _ in
      pending = pending.compactMap { item in item.passing.map { StreamItem(passing: $0) } }
      deinterlacer?.reset()
      pictures.stopDecoding(limit: limit)
    }
  }

  private func next() throws(FFmpegError) -> StreamItem? {
    if hasEnded { return nil }
    guard let item = try decodeNext() else {
      hasEnded = true
      if !hasDecoded, !interruption.wasSet {
        throw .nothingDecoded(path: info.url, packets: pictures.packets, errors: pictures.errors)
      }
      counted.endsEarly = pictures.endsEarly
      if pictures.endsEarly, !limits.acceptsTruncation {
        throw .endsEarly(path: info.url, seconds: max(pictures.lastTime, 0))
      }
      return nil
    }
    guard let frame = item.frame else { return item }
    // Skipped pictures may come late in field-coded files.
    if let start, frame.time.presentation < start { return StreamItem(passing: item.passing) }
    try count(frame)
    return item
  }

  /// Counts a delivered frame.
  func count(_ frame: CodedFrame) throws(FFmpegError) {
    counted.frames += 1
    if frame.isDamaged { counted.damagedFrames += 1 }
    if frame.fieldOrder != nil { counted.interlacedFrames += 1 }
    if let limit = limits.maxErrors {
      let errors = counted.decodeErrors + pictures.errors + counted.damagedFrames
      if errors > limit { throw .tooMuchDamage(path: info.url, errors: errors, limit: limit) }
    }
  }

  /// Sets the processing of the pictures, in their coded signal; call this before reading the first.
  ///
  /// A crop is a view of the decoded samples. Chroma keeps its siting; the fields of interlaced frames are scaled
  /// separately. With one frame per field, times are in half the stream's units.
  public func prepare(_ preparation: PicturePreparation) {
    lock.withLock { _ in
      wrapper.preparation = preparation
      video = preparation.deinterlacing.map(stream.deinterlaced) ?? stream
      deinterlacer = preparation.deinterlacing.map {
        Deinterlacer(
          $0, nominalDuration: wrapper.nominalDuration, threads: pictures.source.threads, path: info.url)
      }
    }
  }

  /// Units of `video` per unit of the stream.
  var ticks: Int64 { Int64(wrapper.preparation.deinterlacing?.framesPerPicture ?? 1) }

  /// The next item of the file, whether requested or not; nil at the end.
  func decodeNext() throws(FFmpegError) -> StreamItem? {
    while true {
      if let frame = try nextDeinterlaced() { return StreamItem(frame: frame) }
      guard let step = try pictures.next() else {
        try deinterlacer?.finish()
        return try nextDeinterlaced().map { StreamItem(frame: $0) }
      }
      let packets = step.packets.packets.isEmpty ? nil : step.packets
      guard let picture = step.picture else { return StreamItem(passing: packets) }
      hasDecoded = true
      let time = wrapper.time(of: picture)
      guard let deinterlacer
      else { return StreamItem(passing: packets, frame: try wrapper.wrap(picture, at: time)) }
      try deinterlacer.push(picture, at: time)
      let frame = try nextDeinterlaced()
      if packets != nil || frame != nil { return StreamItem(passing: packets, frame: frame) }
    }
  }

  private func nextDeinterlaced() throws(FFmpegError) -> CodedFrame? {
    guard let output = deinterlacer?.next() else { return nil }
    return try wrapper.wrap(output.picture, at: output.time)
  }
}

extension ReadStatistics {
  /// Adds the statistics of a picture stream.
  mutating func count(_ pictures: PictureStream) {
    decodeErrors += pictures.errors
    clockJumps += pictures.clock.jumps
    ignoredToneMaps += pictures.packetMetadata.ignored
    ignoredReason = ignoredReason ?? pictures.packetMetadata.reason
  }
}
