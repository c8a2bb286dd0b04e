/// Which frames of the input are processed.
struct FrameSelection {
  /// Seconds from the start of the file; nil is its first frame.
  var start: Double?
  /// Length in seconds; nil is to the end.
  var duration: Double?
  /// Numbers of frames, from 0.
  var range: FrameRange?
  /// One frame of so many is taken.
  var every = 1
  /// Seconds from the start of the file; the one frame that is shown then is taken.
  var at: Double?

  init(_ options: SelectionOptions) {
    start = options.start?.seconds
    duration = options.duration?.seconds
    range = options.frames
  }

  init(_ options: FrameOutputOptions) {
    self.init(options.selection)
    every = options.every
    at = options.at?.seconds
    keepsTimes = true
  }

  /// Nothing is left out.
  var isWhole: Bool { start == nil && duration == nil && range == nil && every == 1 && at == nil }

  /// One frame at most is taken.
  var isSingle: Bool { at != nil || range.map { $0.last == $0.first } ?? false }

  /// Frames that are taken at most, where that is known.
  var mostFrames: Int? {
    if at != nil { return 1 }
    guard let range, let last = range.last else { return nil }
    return (last - range.first) / every + 1
  }

  /// Pictures lie before time zero that the output could only hide.
  var hasHiddenStart = false

  /// Times are told, and nothing is played by them.
  private var keepsTimes = false

  /// Times in the output count from the first selected frame instead of as in the input.
  var movesTimes: Bool { !keepsTimes && (start != nil || (range?.first ?? 0) > 0 || hasHiddenStart) }
}
