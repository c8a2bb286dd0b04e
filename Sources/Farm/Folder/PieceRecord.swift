/// The record of a complete piece; renaming it into place completes the piece.
public struct PieceRecord: Codable, Hashable, Sendable {
  /// The number of the chunk, from 0.
  public var number: Int
  /// Checksum of the plan it was rendered for.
  public var plan: String
  /// The file name in the pieces folder; nil if the chunk has no frames.
  public var file: String?
  /// Size of the file.
  public var bytes: Int
  /// Hash of the file.
  public var hash: String
  /// The number of frames.
  public var frames: Int
  /// The first frame of the source.
  public var first: Seam?
  /// The source frame after the last; nil at the end of the film.
  public var next: Seam?
  /// Hash of the source frames.
  public var source: String
  /// Exact presentation times of frames, as text.
  public var times: String
  /// Exact durations of frames, as text.
  public var durations: String
  /// The number of damaged source frames.
  public var damaged: Int
  /// Versions of the rendering software, by name.
  public var versions: [String: String]
  /// The rendering machine.
  public var machine: Machine
  /// Elapsed time in seconds.
  public var seconds: Double
  /// Processor time in seconds.
  public var processorSeconds: Double
  /// Peak memory in bytes.
  public var peakMemory: Int
  /// The thumbnail's name in the pieces folder.
  public var thumbnail: String?

  /// A source frame at which two pieces meet.
  public struct Seam: Codable, Hashable, Sendable {
    /// Time in ticks of the plan.
    public var time: Int64
    /// Hash of the frame's samples.
    public var hash: String

    /// - Parameters:
    ///   - time: Time in ticks of the plan.
    ///   - hash: Hash of the frame's samples.
    public init(time: Int64, hash: String) {
      self.time = time
      self.hash = hash
    }
  }

  /// - Parameters:
  ///   - number: The number of the chunk, from 0.
  ///   - plan: Checksum of the plan.
  ///   - file: The file name, "N.HASH.mkv"; nil if the chunk has no frames.
  ///   - bytes: Size of the file.
  ///   - hash: Hash of the file.
  ///   - frames: The number of frames.
  ///   - first: The first source frame.
  ///   - next: The source frame after the last.
  ///   - source: Hash of the source frames.
  ///   - times: Presentation times, as text.
  ///   - durations: Durations, as text.
  ///   - damaged: The number of damaged source frames.
  ///   - versions: Versions of the rendering software.
  ///   - machine: The rendering machine.
  ///   - seconds: Elapsed time.
  ///   - processorSeconds: Processor time.
  ///   - peakMemory: Peak memory in bytes.
  ///   - thumbnail: The thumbnail's name, "N.HASH.png".
  public init(
    number: Int, plan: String, file: String?, bytes: Int, hash: String, frames: Int, first: Seam?, next: Seam?,
    source: String, times: String, durations: String, damaged: Int, versions: [String: String], machine: Machine,
    seconds: Double, processorSeconds: Double, peakMemory: Int, thumbnail: String?
  ) {
    self.number = number
    self.plan = plan
    self.file = file
    self.bytes = bytes
    self.hash = hash
    self.frames = frames
    self.first = first
    self.next = next
    self.source = source
    self.times = times
    self.durations = durations
    self.damaged = damaged
    self.versions = versions
    self.machine = machine
    self.seconds = seconds
    self.processorSeconds = processorSeconds
    self.peakMemory = peakMemory
    self.thumbnail = thumbnail
  }
}
