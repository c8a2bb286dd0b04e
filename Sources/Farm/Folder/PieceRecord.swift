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

    /// Creates a seam at a time in ticks of the plan.
    public init(time: Int64, hash: String) { (self.time, self.hash) = (time, hash) }
  }

  /// Creates a record from the values of its properties.
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

  /// Upper limits for plausible frame and byte counts; larger ones could overflow sums.
  static let maximumFrames = 1_000_000_000
  private static let maximumBytes = 1 << 50
  private static let maximumSeconds = 1e9

  /// Returns why this cannot be a piece's record, as a sentence ending; nil: it is plausible.
  /// - Parameter number: The number in the record's name.
  func unsoundness(as number: Int) -> String? {
    if number != self.number { return "it belongs to piece \(self.number)" }
    if !(0...Self.maximumFrames).contains(frames) || !(0...Self.maximumFrames).contains(damaged) {
      return "it has no possible number of frames"
    }
    if !(0...Self.maximumBytes).contains(bytes) || !(0...Self.maximumBytes).contains(peakMemory) {
      return "it has no possible number of bytes"
    }
    if !(0...Self.maximumSeconds).contains(seconds) || !(0...Self.maximumSeconds).contains(processorSeconds) {
      return "it took no possible time"
    }
    if (file == nil) != (frames == 0) { return "it has \(frames) frames, but \(file == nil ? "no" : "a") file" }
    if let file, PieceName(file) != .piece(number) { return "'\(file)' is no name of its file" }
    if let thumbnail, PieceName(thumbnail) != .thumbnail(number) { return "'\(thumbnail)' is no name of its thumbnail" }
    return nil
  }
}

/// The kind of a file in the pieces folder, by its name. Other files are never opened.
enum PieceName: Hashable {
  /// "N.json".
  case record(Int)
  /// "N.HASH.mkv".
  case piece(Int)
  /// "N.HASH.png".
  case thumbnail(Int)
  /// "N.TOKEN.part.mkv".
  case part(Int, token: String)
  /// "N.TOKEN.rejected.json".
  case rejection(Int)
  /// "N.TOKEN.rejected.mkv".
  case rejectedPiece(Int)

  /// nil for other names.
  init?(_ name: String) {
    guard name.utf8.count <= 255, name.utf8.allSatisfy(Self.isAllowed) else { return nil }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let number = parts.first.flatMap(Int.init(plain:)), !parts.contains("") else { return nil }
    switch (parts.count, parts.last) {
    case (2, "json"): self = .record(number)
    case (3, "mkv"): self = .piece(number)
    case (3, "png"): self = .thumbnail(number)
    case (4, "mkv") where parts[2] == "part": self = .part(number, token: String(parts[1]))
    case (4, "mkv") where parts[2] == "rejected": self = .rejectedPiece(number)
    case (4, "json") where parts[2] == "rejected": self = .rejection(number)
    default: return nil
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Int {
  /// Parses a plain decimal number from 0, without leading zeros.
  init?(plain text: some StringProtocol) {
    guard let value = Int(text), value >= 0, String(value) == text else { return nil }
    self = value
  }
}
