internal import CFFmpeg
internal import Frames
internal import Media

extension PictureStream {
  /// Seeks to a packet at or before `timestamp`, in units of the stream's time base; false if the container cannot.
  func seek(to timestamp: Int64) -> Bool {
    guard unsafe avformat_seek_file(demuxer.context, Int32(index), .min, timestamp, timestamp, 0) >= 0
    else { return false }
    decoder.flush()
    weaver?.reset()
    peeked = nil
    _ = takeHeld()
    packetMetadata.flush()
    // A seek is neither a clock discontinuity nor a gap between pictures.
    clock.forget()
    suspects = SuspectPackets()
    lastPicture = nil
    isDraining = false
    damageInRow = 0
    errors = 0
    return true
  }

  /// Where decoding began after a seek.
  struct Beginning {
    let kind: PictureIndex.Access
    /// Presentation time in units of the stream's time base. Earlier pictures lack references.
    let time: Int64
  }

  /// Reads, after a seek, up to a packet where decoding can begin, and sends it to the decoder. Packets of other
  /// streams in between are kept: audio may precede its pictures.
  /// - Parameter limit: In units of the stream's time base.
  /// - Returns: nil: none up to `limit`.
  func beginDecoding(upTo limit: Int64) throws(FFmpegError) -> Beginning? {
    while try readPacket() {
      defer { unsafe av_packet_unref(packet) }
      guard try !hold(), unsafe Int(packet.pointee.stream_index) == index else { continue }
      let decoding = unsafe known(packet.pointee.dts)
      guard let time = unsafe known(packet.pointee.pts) ?? decoding, decoding ?? time <= limit else { return nil }
      guard let kind = unsafe accessPoints.kind(of: packet.pointee) else { continue }
      if time > limit { return nil }
      decode()
      return Beginning(kind: kind, time: time)
    }
    return nil
  }

  /// Whether nothing was delivered yet.
  var isAtStart: Bool { packets == 0 || peeked != nil }

  /// Whether the input can be reread from its start.
  var isRepeatable: Bool { unsafe demuxer.context.pointee.pb?.pointee.seekable ?? 0 != 0 }

  /// Whether seeking by time is meaningful in this container. Checking may move the demuxer.
  var isSeekable: Bool { isRepeatable && flags & AVFMT_NOTIMESTAMPS == 0 && hasSteadyClock }

  /// Whether it is a playlist of segments, whose bytes are not in the opened file.
  var isPlaylist: Bool { demuxer.mayJump && flags & AVFMT_NO_BYTE_SEEK != 0 }

  var flags: Int32 { unsafe demuxer.context.pointee.iformat?.pointee.flags ?? 0 }

  /// Number of file positions whose times are compared.
  private static let clockSamples: Int64 = 48

  /// Thresholds of a clock jump: seconds, and multiples of the typical interval between two samples.
  private static let jump = (seconds: 10.0, intervals: 4.0)

  /// Whether the clock neither steps back nor jumps, as in joined recordings, where a time would be ambiguous or differ
  /// from the corrected one. Sampled across the whole file; this moves the demuxer.
  private var hasSteadyClock: Bool {
    guard demuxer.mayJump else { return true }
    if isPlaylist { return false }
    let size = unsafe avio_size(demuxer.context.pointee.pb)
    guard size > 0 else { return true }
    var times: [Int64] = []
    for sample in 0..<Self.clockSamples {
      let place = size / Self.clockSamples * sample
      guard unsafe av_seek_frame(demuxer.context, -1, place, AVSEEK_FLAG_BYTE) >= 0, let time = nextDecodingTime()
      else { continue }
      if time < times.last ?? .min { return false }
      times.append(time)
    }
    let base = unsafe stream.pointee.time_base.rational.value
    let steps = zip(times.dropFirst(), times).map { Double($0 - $1) * base }
    let median = steps.sorted().dropFirst(steps.count / 2).first ?? 0
    return steps.allSatisfy { $0 <= Self.jump.seconds + Self.jump.intervals * median }
  }

  /// Decoding time of the next packet of the decoded stream, if one is near.
  private func nextDecodingTime() -> Int64? {
    for _ in 0..<1000 where unsafe av_read_frame(demuxer.context, packet) >= 0 {
      defer { unsafe av_packet_unref(packet) }
      if unsafe Int(packet.pointee.stream_index) == index, let time = unsafe known(packet.pointee.dts) { return time }
    }
    return nil
  }

  /// The file's description. Call this before reading anything.
  ///
  /// Still picture files state their rotation only in the picture, such as in Exif, so the first one is examined.
  func info() throws(FFmpegError) -> MediaInfo {
    var info = demuxer.info()
    let index = index
    guard info.isOfPictures, let place = info.streams.firstIndex(where: { $0.index == index }),
      var video = info.streams[place].video, video.displayMatrix == nil
    else { return info }
    video.displayMatrix = try peek().flatMap { DisplayMatrix($0) }
    info.streams[place].video = video
    return info
  }
}

extension DisplayMatrix {
  /// The matrix of a picture; nil: none.
  fileprivate init?(_ picture: Picture) {
    guard let data = unsafe av_frame_get_side_data(picture.frame, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: data.pointee.data, count: Int(data.pointee.size))
    guard bytes.count == 9 * MemoryLayout<Int32>.size else { return nil }
    self.init((0..<9).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) })
  }
}
