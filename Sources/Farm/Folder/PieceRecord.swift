/// What is known of a piece that is whole: its renaming into place is what makes it so.
public struct PieceRecord: Codable, Hashable, Sendable {
  /// The chunk's, from 0.
  public var number: Int
  /// Checksum of the plan that it was rendered for.
  public var plan: String
  /// The piece's name in the folder of pieces; nil where the chunk has no frames.
  public var file: String?
  /// Size of the file.
  public var bytes: Int
  /// Of the file's bytes.
  public var hash: String
  /// Frames in the piece.
  public var frames: Int
  /// The first frame of the source.
  public var first: Seam?
  /// The frame of the source after the last; nil at the end of the film.
  public var next: Seam?
  /// Hash of the source's frames.
  public var source: String
  /// Exact presentation times of the frames, as text.
  public var times: String
  /// Exact durations of the frames, as text.
  public var durations: String
  /// Frames of the source that were damaged.
  public var damaged: Int
  /// Versions of what has rendered it, by name.
  public var versions: [String: String]
  /// What has rendered it.
  public var machine: Machine
  /// Time that it took, in seconds.
  public var seconds: Double
  /// Time that processors spent on it, in seconds.
  public var processorSeconds: Double
  /// In bytes.
  public var peakMemory: Int
  /// The thumbnail's name in the folder of pieces.
  public var thumbnail: String?

  /// A frame of the source at which two pieces meet.
  public struct Seam: Codable, Hashable, Sendable {
    /// In ticks of the plan.
    public var time: Int64
    /// Of the frame's samples.
    public var hash: String

    /// - Parameters:
    ///   - time: In ticks of the plan.
    ///   - hash: Of the frame's samples.
    public init(time: Int64, hash: String) {
      self.time = time
      self.hash = hash
    }
  }

  /// - Parameters:
  ///   - number: The chunk's, from 0.
  ///   - plan: Checksum of the plan.
  ///   - file: The piece's name, "N.HASH.mkv"; nil where the chunk has no frames.
  ///   - bytes: Size of the file.
  ///   - hash: Of the file's bytes.
  ///   - frames: In the piece.
  ///   - first: The first frame of the source.
  ///   - next: The frame of the source after the last.
  ///   - source: Hash of the source's frames.
  ///   - times: Presentation times, as text.
  ///   - durations: Durations, as text.
  ///   - damaged: Damaged frames of the source.
  ///   - versions: Of what has rendered it.
  ///   - machine: What has rendered it.
  ///   - seconds: Time that it took.
  ///   - processorSeconds: Time that processors spent on it.
  ///   - peakMemory: In bytes.
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
