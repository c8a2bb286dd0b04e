internal import Bitstreams
internal import CFFmpeg
internal import Frames
public import Media
internal import Synchronization

extension MediaReader {
  /// Reads key frames at several positions of a file, without decoding; empty for inputs that cannot be reopened.
  public func survey(from start: Double, to end: Double?) -> StreamSurvey {
    let (source, knowsCodec) = lock.withLock { _ in (pictures.source, pictures.packetMetadata.knowsCodec) }
    guard knowsCodec, source.location.byteCount != nil, !isStill, let pictures = try? PictureStream(source)
    else { return StreamSurvey() }
    let origin = info.startTime ?? 0
    var survey = pictures.survey(from: origin + start, to: end.map { origin + $0 })
    survey.metadata = survey.metadata.map { $0.merged(over: stream.metadata) }
    return survey
  }
}

extension PictureStream {
  /// Number of positions that a survey examines.
  private static let places = 32
  /// Maximum number of packets until a key frame: ten seconds of pictures and several audio tracks.
  private static let reach = 3000

  /// - Parameters:
  ///   - start: In seconds of the file's clock.
  ///   - end: The same; nil: the end of the file.
  fileprivate func survey(from start: Double, to end: Double?) -> StreamSurvey {
    let range = start..<max(end ?? .infinity, start)
    var survey = StreamSurvey()
    // Without an index, other containers are searched by reading them.
    if isByPosition {
      let size = unsafe avio_size(demuxer.context.pointee.pb)
      for place in 0..<Int64(Self.places) {
        if unsafe av_seek_frame(demuxer.context, -1, max(size, 0) / Int64(Self.places) * place, AVSEEK_FLAG_BYTE) >= 0 {
          look(in: range, &survey)
        }
      }
    } else {
      look(in: range, &survey)
      for time in keyTimes(in: range)
      where unsafe avformat_seek_file(demuxer.context, Int32(index), .min, time, time, 0) >= 0 {
        look(in: range, &survey)
      }
    }
    return survey
  }

  /// Whether the container is searched by bytes, so that reading may begin within a picture.
  private var isByPosition: Bool {
    !isPlaylist && demuxer.mayJump && flags & AVFMT_NO_BYTE_SEEK == 0
  }

  /// Times of key frames, evenly spread over the container's index.
  private func keyTimes(in range: Range<Double>) -> [Int64] {
    // Matroska reads its index with the first seek.
    _ = unsafe avformat_seek_file(demuxer.context, Int32(index), .min, 0, 0, 0)
    let base = unsafe stream.pointee.time_base.rational.value
    var times: [Int64] = []
    for entry in unsafe 0..<avformat_index_get_entries_count(stream) {
      guard let entry = unsafe avformat_index_get_entry(stream, entry),
        unsafe hr_index_is_key(entry) != 0, unsafe range.contains(Double(entry.pointee.timestamp) * base)
      else { continue }
      times.append(unsafe entry.pointee.timestamp)
    }
    guard times.count > Self.places else { return times }
    return (0..<Self.places).map { times[$0 * (times.count - 1) / (Self.places - 1)] }
  }

  /// Reads up to the next key frame and examines it.
  private func look(in range: Range<Double>, _ survey: inout StreamSurvey) {
    for _ in 0..<Self.reach {
      guard unsafe av_read_frame(demuxer.context, packet) >= 0 else { return }
      defer { unsafe av_packet_unref(packet) }
      guard unsafe Int(packet.pointee.stream_index) == index else { continue }
      let messages = unsafe packetMetadata.messages(in: packet.pointee)
      let isBeginning = unsafe accessPoints.kind(of: packet.pointee) != nil
      let time = unsafe known(packet.pointee.pts) ?? known(packet.pointee.dts)
      if let time, unsafe !range.contains(Double(time) * stream.pointee.time_base.rational.value) {
        if isBeginning { return }
        continue
      }
      survey.note(messages, isBeginning: isBeginning)
      if isBeginning { return }
    }
  }
}

extension StreamSurvey {
  fileprivate mutating func note(_ messages: [PacketMessage], isBeginning: Bool) {
    var found = HDRMetadata()
    for message in messages {
      switch message {
      case .registered(let bytes): if RegisteredMessage(bytes) == .captions { hasCaptions = true }
      case .masteringDisplay(let display): found.masteringDisplay = display
      case .contentLight(let light): found.contentLight = light
      case .ambientViewing: break
      }
    }
    if isBeginning, !metadata.contains(found) { metadata.append(found) }
  }
}
