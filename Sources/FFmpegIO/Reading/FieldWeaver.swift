internal import CFFmpeg
internal import Frames
internal import Media

/// Weaves field pictures into interlaced frames, as in HEVC with `field_seq_flag`.
///
/// FFmpeg's decoder flags only such pictures as interlaced, top fields as top field first. A frame that lacks a field
/// gets the rows of the other, and counts as damaged.
final class FieldWeaver {
  /// Duration of a field in ticks at the nominal rate.
  private let nominalDuration: Int64
  private let path: String
  private var pairing = FieldPairing()
  private var first: Picture?
  private var ready: [Picture] = []

  init(nominalDuration: Int64, path: String) { (self.nominalDuration, self.path) = (nominalDuration, path) }

  /// Forgets earlier pictures, after a seek.
  func reset() {
    pairing.restart()
    (first, ready) = (nil, [])
  }

  /// Takes the next picture, in presentation order.
  func push(_ picture: Picture) throws(FFmpegError) {
    guard unsafe hr_frame_is_interlaced(picture.frame) != 0 else {
      pairing.interrupt()
      try finish()
      ready.append(picture)
      return
    }
    let duration = unsafe hr_frame_duration(picture.frame)
    let field = unsafe FieldPairing.Field(
      isTop: hr_frame_is_top_first(picture.frame) != 0, time: known(picture.frame.pointee.best_effort_timestamp),
      duration: duration > 0 ? duration : nominalDuration)
    let place = pairing.place(field)
    if place == .second, let first, first.format == picture.format, first.size == picture.size {
      self.first = nil
      ready.append(try woven(first, picture))
      return
    }
    try finish()
    switch place {
    case .first: first = picture
    case .second, .alone: ready.append(try woven(picture, nil))
    case .early: break
    }
  }

  /// Completes the last frame, at the end or when the next picture does not belong to it.
  func finish() throws(FFmpegError) {
    guard let first else { return }
    self.first = nil
    ready.append(try woven(first, nil))
  }

  /// The next complete frame.
  func next() -> Picture? { ready.isEmpty ? nil : ready.removeFirst() }

  /// - Parameter second: nil: missing.
  private func woven(_ first: Picture, _ second: Picture?) throws(FFmpegError) -> Picture {
    let result = try Picture.allocate(
      size: Size(width: first.size.width, height: 2 * first.size.height), format: first.format)
    let code = unsafe av_frame_copy_props(result.frame, first.frame)
    if code < 0 { throw .failure(.convert, path, code) }
    let isTop = unsafe hr_frame_is_top_first(first.frame) != 0
    unsafe hr_frame_weave(result.frame, first.frame, isTop ? 0 : 1)
    unsafe hr_frame_weave(result.frame, (second ?? first).frame, isTop ? 1 : 0)
    unsafe hr_frame_set_progressive(result.frame)
    unsafe hr_frame_set_interlaced(result.frame, isTop ? 1 : 0)
    let durations = unsafe (hr_frame_duration(first.frame), hr_frame_duration((second ?? first).frame))
    unsafe hr_frame_set_duration(result.frame, durations.0 &+ durations.1)
    result.isDamaged = first.isDamaged || second?.isDamaged ?? true
    result.messages = first.messages
    // Each field has separate captions.
    if let second, !second.captions.isEmpty { try result.set(captions: first.captions + second.captions) }
    return result
  }
}

extension VideoStreamInfo {
  /// Lower sample aspect ratios apply to fields: no frames have such narrow samples, and no fields such wide ones.
  private static let narrowest = 0.75

  /// Changes the description to woven frames.
  mutating func weave() {
    size.height *= 2
    fieldOrder = "tt"
    (averageFrameRate, realFrameRate) = (averageFrameRate?.halved, realFrameRate?.halved)
    if let ratio = sampleAspectRatio, ratio.value < Self.narrowest { sampleAspectRatio = ratio.doubled }
  }
}

/// Pairs fields into frames, in order of presentation.
///
/// The first field of a frame has the parity of the first field: frames begin at a random access point.
struct FieldPairing {
  /// A field.
  struct Field {
    let isTop: Bool
    /// Presentation time, and ticks until the next field; nil if unknown.
    let time: Int64?
    let duration: Int64
  }

  /// The position of a field in its frame.
  enum Place {
    /// First field of a frame; waits for the second.
    case first
    /// Second field of the waiting frame.
    case second
    /// The frame lacks its first field.
    case alone
    /// Belongs to a frame before the beginning.
    case early
  }

  private var firstIsTop: Bool?
  private var isBeginning = true
  private var waiting: Field?

  /// Discards the waiting field, after a seek.
  mutating func restart() { (isBeginning, waiting) = (true, nil) }

  /// The next picture is a frame: a waiting field remains alone.
  mutating func interrupt() { waiting = nil }

  /// The position of the next field. A waiting field remains alone unless this is its second one.
  mutating func place(_ field: Field) -> Place {
    let firstIsTop = firstIsTop ?? field.isTop
    self.firstIsTop = firstIsTop
    let first = waiting
    waiting = nil
    if field.isTop == firstIsTop {
      (isBeginning, waiting) = (false, field)
      return .first
    }
    if let first, isNext(field, after: first) { return .second }
    return isBeginning ? .early : .alone
  }

  /// Whether two fields are adjacent.
  private func isNext(_ second: Field, after first: Field) -> Bool {
    guard let end = second.time, let start = first.time, first.duration > 0 else { return true }
    // Times may be rounded to milliseconds.
    return (end &- start) / 2 < first.duration
  }
}
