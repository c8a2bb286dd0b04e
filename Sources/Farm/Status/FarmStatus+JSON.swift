public import Foundation
internal import HTMLReports

extension FarmStatus: Encodable {
  /// The status as JSON with sorted keys.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(self)) ?? Data()
  }

  /// Keys are in snake case, times in ISO 8601.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "film": film.name, "output": film.output, "folder": folder.path, "is_complete": isAssembled, "frames": frames,
      "frames_done": framesDone, "seconds_left": secondsLeft, "time": time.map(Self.iso),
      "counts": [
        "total": counts.total, "done": counts.done, "running": counts.running, "waiting": counts.waiting,
        "lost": counts.lost, "failed": counts.failed,
      ], "pieces": pieces, "events": events,
    ])
  }

  fileprivate static func iso(_ time: ServerTime) -> String {
    Date(timeIntervalSince1970: Double(time.seconds)).formatted(.iso8601)
  }

  fileprivate enum Key: String, CodingKey {
    case number, state, begin, frames, tries, words, host, process, job, age, seconds, bytes, file, queue, node, reason
    case framesDone = "frames_done"
    case framesPerSecond = "frames_per_second"
    case peakMemory = "peak_memory"
    case damagedFrames = "damaged_frames"
    case processorSeconds = "processor_seconds"
  }
}

extension FarmStatus.Piece: Encodable {
  /// Keys are in snake case, times in ISO 8601.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: FarmStatus.Key.self)
    try values.encode(number, forKey: .number)
    try values.encode(state.name, forKey: .state)
    try values.encode(begin, forKey: .begin)
    try values.encode(frames, forKey: .frames)
    try values.encode(framesDone, forKey: .framesDone)
    try values.encode(tries, forKey: .tries)
    try values.encodeIfPresent(words, forKey: .words)
    switch state {
    case .running(let claim), .lost(let claim?):
      try encode(claim.machine, into: &values)
      try values.encodeIfPresent(claim.age, forKey: .age)
      try values.encode(claim.framesPerSecond, forKey: .framesPerSecond)
    case .done(let record): try encode(record, into: &values)
    case .waiting, .lost(nil), .failed: break
    }
    guard let queue else { return }
    var nested = values.nestedContainer(keyedBy: FarmStatus.Key.self, forKey: .queue)
    try nested.encode(queue.job, forKey: .job)
    try nested.encode(queue.state, forKey: .state)
    try nested.encodeIfPresent(queue.node, forKey: .node)
    try nested.encodeIfPresent(queue.reason, forKey: .reason)
  }

  private func encode(_ record: PieceRecord, into values: inout KeyedEncodingContainer<FarmStatus.Key>) throws {
    try encode(record.machine, into: &values)
    try values.encodeIfPresent(record.file, forKey: .file)
    try values.encode(record.bytes, forKey: .bytes)
    try values.encode(record.seconds, forKey: .seconds)
    try values.encode(record.processorSeconds, forKey: .processorSeconds)
    try values.encode(record.peakMemory, forKey: .peakMemory)
    try values.encode(record.damaged, forKey: .damagedFrames)
    if record.seconds > 0 { try values.encode(Double(record.frames) / record.seconds, forKey: .framesPerSecond) }
  }

  private func encode(_ machine: Machine?, into values: inout KeyedEncodingContainer<FarmStatus.Key>) throws {
    guard let machine else { return }
    try values.encode(machine.host, forKey: .host)
    try values.encode(machine.process, forKey: .process)
    try values.encodeIfPresent(machine.job, forKey: .job)
  }
}

extension FarmStatus.Event: Encodable {
  /// Keys are in snake case, times in ISO 8601.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(["time": time.map(FarmStatus.iso), "piece": piece, "text": text])
  }
}
