internal import Bitstreams
internal import CFFmpeg
internal import Foundation
internal import Frames
internal import Media

/// A file being read: one stream is decoded to pictures in presentation order, packets of others are passed on, and
/// damage is counted and skipped.
@safe
final class PictureStream {
  // @safe: the stream belongs to `demuxer`, which this object keeps.

  /// Parameters for opening and reopening.
  struct Source {
    let location: Location
    let format: String?
    var protocols = ProtocolPolicy()
    /// Index of the stream to decode; nil: the best video stream.
    let video: Int?
    let threads: Int
    let maxPixels: Int
    let interruption = ReadInterruption()
  }

  /// A picture, and the packets that precede it; one of the two may be missing.
  struct Step {
    var picture: Picture?
    var packets: PacketBatch
  }

  /// Consecutive errors, with no picture or packet in between, after which a decoder is considered stuck: it gets the
  /// next packet, or is abandoned at the end.
  private static let damageLimit = 64
  /// Number of packets, and of their bytes, that are passed on without waiting for a picture.
  private static let batchCount = 64
  private static let batchBytes = 1 << 18

  let source: Source
  let demuxer: Demuxer
  let stream: UnsafeMutablePointer<AVStream>
  let decoder: Decoder
  /// For streams of field pictures.
  let weaver: FieldWeaver?
  /// The area of the pictures that the container shows; nil: all of it.
  private let aperture: PictureCrop?
  let packet: UnsafeMutablePointer<AVPacket>
  /// Reads the metadata in packets besides their pictures.
  var packetMetadata: PacketMetadataReader
  private var start: DecodingStart
  private var passed: [Int: StreamCopy] = [:]
  private var held = PacketBatch()
  private var heldBytes = 0
  private var isDecoding = true
  /// The step that was peeked at.
  var peeked: Step?
  /// Seconds beyond which no packets are needed.
  private var limit = Double.infinity
  var isDraining = false
  var damageInRow = 0

  /// Number of packets read of the decoded stream.
  private(set) var packets = 0
  /// Undecodable packets and damaged reads since the last seek.
  var errors = 0
  var suspects = SuspectPackets()
  /// Whether the file is truncated.
  private(set) var endsEarly = false
  /// File position after the last packet.
  private var packetEnd: Int64 = 0
  /// Latest end time in seconds of any picture or audio packet.
  private(set) var lastTime = -Double.infinity
  /// The same for subtitles, which may outlast the film.
  private var lastSubtitle = -Double.infinity
  /// Latest time of a picture, and the longest interval between two: a last picture of unknown duration may last as
  /// long.
  var lastPicture: Double?
  private var longestGap = 0.0
  var clock: TimestampCorrector
  let accessPoints: AccessPoints

  /// - Parameter opened: Called as soon as the file is open, even if it cannot be decoded.
  init(_ source: Source, opened: (Demuxer) -> Void = { _ in }) throws(FFmpegError) {
    self.source = source
    let path = source.location.name
    demuxer = try Demuxer(
      source.location, format: source.format, protocols: source.protocols, interruption: source.interruption)
    opened(demuxer)
    unsafe stream = try unsafe demuxer.videoStream(source.video)
    guard let parameters = unsafe stream.pointee.codecpar else { throw .noVideoStream(path: path) }
    packetMetadata = unsafe PacketMetadataReader(
      parameters.pointee, container: demuxer.ambientViewing[Int(stream.pointee.index)])
    start = unsafe DecodingStart(parameters.pointee)
    accessPoints = unsafe AccessPoints(parameters.pointee)
    decoder = try unsafe Decoder(
      stream, threads: source.threads, maxPixels: demuxer.maximumPixels(source.maxPixels), path: path)
    let index = unsafe Int(stream.pointee.index)
    let video = demuxer.info().streams.first { $0.index == index }?.video
    aperture = video?.aperture
    weaver =
      unsafe HEVCSequence.codesFields(parameters.pointee)
      ? FieldWeaver(nominalDuration: (video?.nominalDuration ?? 2) / 2, path: path) : nil
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    clock = TimestampCorrector(isNeeded: demuxer.mayJump)
    demuxer.select([index])
  }

  deinit { unsafe release(packet, av_packet_free) }

  /// Index of the decoded stream.
  var index: Int { unsafe Int(stream.pointee.index) }

  /// Passes the packets of these streams from now on.
  func pass(_ streams: [StreamCopy]) {
    passed = Dictionary(streams.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    demuxer.select(Set(passed.keys).union([index]))
  }

  /// Stops decoding: only packets of other streams follow, until any stream is beyond `limit`.
  func stopDecoding(limit: Double) {
    isDecoding = false
    peeked = nil
    weaver?.reset()
    self.limit = limit
  }

  /// Decodes again, after a seek.
  func resumeDecoding() { (isDecoding, limit) = (true, .infinity) }

  /// The first picture, without consuming it; needed for a rotation that only pictures state. Call this before passing
  /// streams; nil: none.
  func peek() throws(FFmpegError) -> Picture? {
    peeked = try next()
    return peeked?.picture
  }

  /// The next picture with the packets before it; nil at the end.
  func next() throws(FFmpegError) -> Step? {
    if let peeked {
      self.peeked = nil
      return peeked
    }
    while !isBatchFull {
      if let picture = weaver?.next() { return Step(picture: try shown(picture), packets: takeHeld()) }
      switch isDecoding ? try decoder.receive() : .needsInput {
      case .picture(let picture):
        damageInRow = 0
        picture.messages = packetMetadata.take(for: picture)
        guard let weaver else { return Step(picture: try shown(picture), packets: takeHeld()) }
        try weaver.push(picture)
      case .ended: return try lastStep()
      case .needsInput:
        if isDraining { return try lastStep() }
        try feed()
      case .damaged:
        errors += 1
        damageInRow += 1
        if damageInRow > Self.damageLimit {
          if isDraining { return try lastStep() }
          try feed()
        }
      }
    }
    return Step(packets: takeHeld())
  }

  /// Crops to the area that the container shows; pictures of other sizes than stated stay whole.
  private func shown(_ picture: Picture) throws(FFmpegError) -> Picture {
    guard let aperture, aperture.size == picture.size else { return picture }
    return try picture.part(aperture.area, path: source.location.name)
  }

  private func lastStep() throws(FFmpegError) -> Step? {
    try weaver?.finish()
    let picture = try weaver?.next().map(shown)
    return picture == nil && held.packets.isEmpty ? nil : Step(picture: picture, packets: takeHeld())
  }

  private var isBatchFull: Bool { held.packets.count >= Self.batchCount || heldBytes >= Self.batchBytes }

  func takeHeld() -> PacketBatch {
    defer {
      held.packets = []
      heldBytes = 0
    }
    return held
  }

  /// Reads up to the next packet of the decoded stream, or the end, and sends it to the decoder; returns earlier once
  /// enough other packets wait.
  private func feed() throws(FFmpegError) {
    damageInRow = 0
    while !isBatchFull {
      if lastTime > limit {
        isDraining = true
        return
      }
      guard try readPacket() else { return }
      defer { unsafe av_packet_unref(packet) }
      if try !hold(), unsafe Int(packet.pointee.stream_index) == index, isDecoding {
        decode()
        return
      }
    }
  }

  /// Reads the next packet of any stream; false at the end.
  func readPacket() throws(FFmpegError) -> Bool {
    while true {
      let (code, lines) = FFmpegLog.listening { unsafe av_read_frame(demuxer.context, packet) }
      if code == hr_error_again() {
        av_usleep(10_000)
        continue
      }
      guard code >= 0 else {
        try end(code, lines)
        return false
      }
      // Packets that a parser has held back come after the message.
      if isDecoding, demuxer.isAtEnd, !source.interruption.wasSet, Demuxer.areOfTruncation(lines) { endsEarly = true }
      if isDecoding, Demuxer.areOfDamage(lines) { errors += 1 }
      unsafe note(packet)
      packetEnd = unsafe avio_tell(demuxer.context.pointee.pb)
      return true
    }
  }

  /// Keeps the packet that was read if its stream is passed on.
  func hold() throws(FFmpegError) -> Bool {
    guard let stream = unsafe passed[Int(packet.pointee.stream_index)] else { return false }
    let copy = try unsafe Packet(moving: packet, of: stream)
    held.packets.append(copy)
    heldBytes += copy.byteCount
    return true
  }

  func decode() {
    packets += 1
    guard unsafe start.reaches(packet.pointee) else { return }
    unsafe packetMetadata.read(packet.pointee, number: decoder.nextPacket)
    if unsafe !decoder.send(packet) { errors += 1 }
  }

  /// Number of pictures at the start that depend on pictures before the file.
  var skippedAtStart: Int { start.skipped }

  /// Counts a packet of the decoded stream that was read but is not decoded.
  func countUndecoded() { packets += 1 }

  /// Handles the end: end of file, damage that cannot be skipped, or an interruption.
  /// - Throws: `FFmpegError` if the system failed: such an output must not look complete.
  private func end(_ code: Int32, _ lines: [String]) throws(FFmpegError) {
    let code = source.location.withoutBlame(code)
    if code == hr_error_no_memory() { throw .outOfMemory }
    if FFmpegError.isOfSystem(code) { throw .failure(.read, source.location.name, code) }
    if isDecoding { errors += suspects.takeAll() }
    // A container that is damaged in the middle ends there, as in ffmpeg.
    if code != hr_error_eof(), code != hr_error_exit() { errors += 1 }
    if code != hr_error_exit(), isDecoding {
      endsEarly = endsEarly || demuxer.isTruncated || Demuxer.areOfTruncation(lines) || isShort
    }
    isDraining = true
    if isDecoding { _ = unsafe decoder.send(nil) }
  }

  /// Tracks how far the file has been read.
  private func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    // FFmpeg flags a packet that is truncated by the end of the file, or partly lost.
    let isFlagged = unsafe packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 && !isPlaylist
    let isAtEnd = demuxer.isAtEnd
    if isFlagged, isAtEnd { endsEarly = true }
    guard let stream = unsafe demuxer.context.pointee.streams[Int(packet.pointee.stream_index)],
      let kind = unsafe stream.pointee.codecpar?.pointee.codec_type
    else { return }
    let jumps = clock.jumps
    unsafe clock.mend(packet, of: stream)
    let damaged = suspects.add(isFlagged: isFlagged && !isAtEnd, isAtJoint: clock.jumps != jumps)
    if isDecoding { errors += damaged }
    guard [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE].contains(kind) else { return }
    guard let time = unsafe known(packet.pointee.pts) ?? known(packet.pointee.dts) else { return }
    let base = unsafe stream.pointee.time_base.rational.value
    let end = unsafe Double(time &+ max(0, packet.pointee.duration)) * base
    if kind == AVMEDIA_TYPE_SUBTITLE {
      lastSubtitle = max(lastSubtitle, end)
    } else {
      lastTime = max(lastTime, end)
    }
    guard unsafe stream == self.stream else { return }
    let seconds = Double(time) * base
    if let lastPicture { longestGap = max(longestGap, seconds - lastPicture) }
    lastPicture = max(lastPicture ?? seconds, seconds)
  }

  /// Whether the file ends before its container does, or far less was read than stated. The latter is checked only if
  /// the container states the decoded stream's length, or if every stream that could be the longest was read.
  private var isShort: Bool {
    let info = demuxer.info()
    let traits = ContainerTraits.of(info.formatName)
    // FFmpeg drops an incomplete picture.
    if traits.family == .y4m, unsafe avio_tell(demuxer.context.pointee.pb) != packetEnd { return true }
    if source.location.statedEnd?.isMissing(isTransportStream: traits.family == .transport) ?? false { return true }
    // Packets take bytes, and more are stated than the file can hold.
    if traits.overstatesFrames, let bytes = info.byteCount, unsafe stream.pointee.nb_frames > bytes { return false }
    // FFmpeg's Matroska muxer states the end as the duration, even of a file that begins late.
    let statesEnd = traits.family == .matroska
    let own = unsafe known(stream.pointee.duration).map { duration in
      let start = unsafe statesEnd ? 0 : known(stream.pointee.start_time) ?? 0
      return unsafe Double(duration &+ start) * stream.pointee.time_base.rational.value
    }
    let isWhole = unsafe demuxer.streams.allSatisfy { unsafe $0.pointee.discard != AVDISCARD_ALL }
    let stated = own ?? (isWhole ? info.duration.map { $0 + (statesEnd ? 0 : info.startTime ?? 0) } : nil)
    // A length by a clock that jumps is not the film's.
    guard packets > 1, clock.jumps == 0, let stated, lastTime.isFinite else { return false }
    return max(lastTime + longestGap, lastSubtitle) < stated - max(1, 0.02 * stated)
  }
}
