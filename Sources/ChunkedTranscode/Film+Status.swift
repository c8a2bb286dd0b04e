internal import Farm
internal import Files
internal import Frames
internal import Sessions

extension Film {
  /// Progress of a film: its pieces, and the output.
  public struct Status: Sendable {
    private var status: FarmStatus
    /// All pieces are rendered, and the output is complete.
    public let isComplete: Bool
    private let output: String

    fileprivate init(_ status: FarmStatus, _ film: Film) {
      self.status = status
      let assembled = film.folder.assembledOutput(of: film.checksum)
      output = assembled ?? film.plan.transcode.video.url
      isComplete = assembled != nil
      self.status.isAssembled = isComplete
    }

    /// Returns the status as lines for a terminal.
    /// - Parameter width: Columns.
    public func text(width: Int) -> String {
      let last =
        isComplete ? ["'\(output)' is complete."] : status.isComplete ? ["All pieces are there, to be joined."] : []
      return (status.lines(width: width) + last).joined(separator: "\n")
    }

    /// The status as a JSON object.
    public var json: String {
      String(decoding: status.json, as: UTF8.self)
    }

    /// The status as a self-contained HTML page.
    public var page: String { status.html }
  }

  /// Reads the work folder, and queries the queue if the film was submitted.
  /// - Throws: `FarmError` if the folder cannot be read.
  public func status() throws -> Status {
    Status(try FarmStatus(folder, outline, plan: checksum, queue: queueEntries), self)
  }

  private var outline: FilmOutline {
    let (base, video) = (plan.inputTimeBase.value, plan.transcode.video)
    let rate = video.frameRate?.value ?? 0
    let lengths = plan.chunks.indices.map { number in
      plan.end(of: number).map { Double($0 - plan.chunks[number].start) * base }
        ?? (rate > 0 ? Double(plan.chunks[number].count) / rate : 0)
    }
    return FilmOutline(
      name: FileLocation(plan.input.path).name, output: video.url, frames: plan.chunks.map(plan.outputFrames),
      seconds: lengths, framesPerSecond: rate, width: video.size.width, height: video.size.height,
      maximumTries: plan.maximumTries)
  }
}
