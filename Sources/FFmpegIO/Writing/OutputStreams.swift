internal import Bitstreams
internal import CFFmpeg
internal import Frames
internal import Media

/// The file of a writer with its streams: the picture track, and the routes of all other streams.
final class OutputStreams {
  let muxer: Muxer
  /// The picture track.
  let pictures: Track
  /// Number of pictures to be written with each kind of message.
  var pictureMessages: [RegisteredMessage: Int] = [:]
  /// Routes by source stream index.
  private var routes: [Int: Route] = [:]

  /// The last packet of copied audio that an edit list hides before the first shown one, by source stream index.
  private var priming: [Int: Packet] = [:]
  /// Seconds within which a hidden packet is kept, because a decoder needs it for the next one: two packets of most
  /// codecs. Not every container can hide it.
  private static let primingReach = 0.07

  private enum Route {
    case copy(Track)
    case recode(any PacketTranscoder, Track)
  }

  /// Adds every stream and writes the header.
  init(
    _ muxer: Muxer, _ settings: MediaWriter.Settings, wantsGlobalHeader: Bool, timeBase: AVRational,
    parameters: (UnsafeMutablePointer<AVCodecParameters>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    self.muxer = muxer
    var pictures: Track?
    for stream in settings.streams {
      switch stream {
      case .frames:
        pictures = try unsafe muxer.addPictures(settings, timeBase: timeBase, parameters: parameters)
      case .copy(let copy): routes[copy.index] = .copy(try muxer.add(copy))
      case .encoded(let copy, let encoding):
        let transcoder = try copy.transcoder(
          as: encoding, wantsGlobalHeader: wantsGlobalHeader, path: settings.url)
        let track = try unsafe muxer.add(transcoder.encoder, from: copy, url: settings.url)
        routes[copy.index] = .recode(transcoder, track)
      }
    }
    guard let pictures else { preconditionFailure("the streams of an output include its frames") }
    self.pictures = pictures
    try muxer.begin(settings)
  }

  /// Writes a packet of another stream; packets without a route are dropped.
  func write(_ packet: Packet) throws(FFmpegError) {
    switch routes[packet.streamIndex] {
    case .copy(let track):
      if packet.isHidden {
        if track.packets == 0 { priming[packet.streamIndex] = packet }
        return
      }
      if let hidden = priming.removeValue(forKey: packet.streamIndex), Self.primes(hidden, packet, track) {
        try copy(hidden, to: track)
      }
      try copy(packet, to: track)
    case .recode(let transcoder, let track): try unsafe recode(packet.packet, transcoder, track)
    case nil: break
    }
  }

  private func copy(_ packet: Packet, to track: Track) throws(FFmpegError) {
    guard let base = packet.timeBase.native else { return }
    try unsafe muxer.write(packet.packet, to: track, timeBase: base)
  }

  /// Whether a lossy decoder needs a hidden packet for the next one: it begins just before that and time zero.
  private static func primes(_ hidden: Packet, _ next: Packet, _ track: Track) -> Bool {
    guard let parameters = unsafe track.stream.pointee.codecpar, hidden.kind == .audio, let start = hidden.seconds,
      let end = next.seconds
    else { return false }
    let properties = unsafe avcodec_descriptor_get(parameters.pointee.codec_id)?.pointee.props ?? 0
    return properties & AV_CODEC_PROP_LOSSY != 0 && start >= -primingReach && end - start <= primingReach
  }

  /// Writes what the transcoders have buffered, and the trailer.
  func finish() throws(FFmpegError) {
    for index in routes.keys.sorted() {
      if case .recode(let transcoder, let track) = routes[index] { try unsafe recode(nil, transcoder, track) }
    }
    try muxer.finish()
  }

  private func recode(
    _ packet: UnsafePointer<AVPacket>?, _ transcoder: any PacketTranscoder, _ track: Track
  ) throws(FFmpegError) {
    let base = unsafe transcoder.encoder.pointee.time_base
    try unsafe transcoder.recode(packet) { made throws(FFmpegError) in
      try unsafe muxer.write(made, to: track, timeBase: base)
    }
  }

  /// Decoding errors of re-encoded streams, a sentence each.
  var transcodingLosses: [String] {
    routes.keys.sorted().compactMap { index in
      guard case .recode(let transcoder, _) = routes[index], transcoder.errors > 0 else { return nil }
      return "Stream #\(index) is damaged: \(transcoder.errors) of its packets could not be decoded for re-encoding."
    }
  }

  /// Packets with moved times.
  var movedPackets: Int { muxer.tracks.reduce(0) { $0 + $1.moved } }
}

/// An output stream being written: adjusts the timestamps of its packets to the container.
@safe
final class Track {
  // @safe: the stream belongs to the muxer, which owns this object.
  let stream: UnsafeMutablePointer<AVStream>
  /// Number of packets moved because their decoding time decreased.
  private(set) var moved = 0
  private(set) var packets = 0
  /// Delay that readers subtract from packet times, and the muxer does not add.
  var codecDelay: FrameTime?
  private var last: Int64?
  private var expected: Int64?
  private let isStrict: Bool
  /// Duration in seconds from which a packet is considered endless: eleven days.
  private static let longest = 1e6
  /// Seconds by which pictures are decoded before display, if a container does not state it for the first ones.
  private let reordering: Double

  /// - Parameter isStrict: The container rejects equal decoding times as well as decreasing ones.
  init(_ stream: UnsafeMutablePointer<AVStream>, isStrict: Bool, copied: StreamCopy? = nil) {
    unsafe self.stream = unsafe stream
    self.isStrict = isStrict
    let rate = copied?.averageFrameRate.known?.value ?? 25
    let delay = unsafe copied?.parameters.pointee.video_delay ?? 0
    reordering = Double(max(0, min(delay, 16))) / rate
  }

  /// Converts the packet's times to the stream's time base, and makes decoding times monotonic.
  func prepare(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational, later: FrameTime? = nil) {
    packets += 1
    unsafe packet.pointee.stream_index = stream.pointee.index
    unsafe packet.pointee.pos = -1
    unsafe av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    if let later = later ?? codecDelay, let base = later.timeBase.native {
      let shift = unsafe av_rescale_q(later.presentation, base, stream.pointee.time_base)
      if let pts = unsafe known(packet.pointee.pts) { unsafe packet.pointee.pts = pts &+ shift }
      if let dts = unsafe known(packet.pointee.dts) { unsafe packet.pointee.dts = dts &+ shift }
    }
    // Endless subtitles have the maximum duration, which not every container accepts.
    let seconds = unsafe Double(packet.pointee.duration) * stream.pointee.time_base.rational.value
    if seconds > Self.longest { unsafe packet.pointee.duration = 0 }
    let isVideo = unsafe stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    if unsafe known(packet.pointee.dts) == nil { unsafe packet.pointee.dts = unsafe decodingTime(of: packet.pointee) }
    if unsafe known(packet.pointee.pts) == nil, !isVideo { unsafe packet.pointee.pts = unsafe packet.pointee.dts }
    if let last {
      let minimum = isStrict ? last &+ 1 : last
      if unsafe packet.pointee.dts < minimum {
        unsafe packet.pointee.dts = minimum
        // The presentation time is kept if the container accepts it.
        if let pts = unsafe known(packet.pointee.pts), pts < minimum {
          unsafe packet.pointee.pts = minimum
          moved += 1
        } else if !isVideo {
          moved += 1
        }
      }
    }
    last = unsafe packet.pointee.dts
    expected = unsafe packet.pointee.dts.addingReportingOverflow(max(0, packet.pointee.duration)).partialValue
  }

  /// The decoding time of a packet without one: after the previous one, or early enough for reordering.
  private func decodingTime(of packet: AVPacket) -> Int64 {
    guard let pts = unsafe known(packet.pts) else { return expected ?? last ?? 0 }
    if reordering == 0 { return pts }
    let ticks = unsafe (reordering / stream.pointee.time_base.rational.value).rounded()
    let start = pts.subtractingReportingOverflow(Int64(exactly: ticks) ?? 0).partialValue
    return min(expected ?? start, pts)
  }
}
