internal import Frames
internal import Media

/// A frame in the pipeline, with the data that precedes it.
struct Item: Sendable {
  var passing: [any PassingData] = []
  /// nil: data only.
  var frame: CodedFrame?
  /// Arrival time of a live frame; nil: from a file.
  var arrival: ContinuousClock.Instant?
  /// Whether the frame was rendered before.
  var isRedraw = false
  /// Whether it was let through while others are held.
  var isStep = false
}

/// Queued items, oldest first. Not synchronized.
struct ItemQueue {
  private var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }

  /// Number of items, including those without a frame.
  var count: Int { items.count }

  mutating func append(_ item: Item) { items.append(item) }

  /// Appends `item` and keeps at most `limit` frames.
  ///
  /// Every item but the last has a frame, because data without one is joined with the item that follows.
  /// - Parameter limit: At least 1. A queue is filled either with this method or with `append(_:)`, not both.
  /// - Returns: The oldest frame if the queue was full. Its data stays, before the next frame.
  mutating func append(_ item: Item, keepingFrames limit: Int) -> CodedFrame? {
    if let last = items.indices.last, items[last].frame == nil {
      items[last].passing += item.passing
      items[last].frame = item.frame
      items[last].arrival = item.arrival
    } else {
      items.append(item)
    }
    let frames = items.last?.frame == nil ? items.count - 1 : items.count
    guard frames > limit else { return nil }
    var oldest = items.removeFirst()
    oldest.passing += items[0].passing
    items[0].passing = oldest.passing
    return oldest.frame
  }

  mutating func removeFirst() -> Item { items.removeFirst() }

  /// Removes the oldest frame if it arrived longer ago than `age`. Its data stays, before the next frame.
  mutating func removeFirst(olderThan age: Duration) -> CodedFrame? {
    guard let arrival = items.first?.arrival, let frame = items[0].frame, ContinuousClock.now - arrival > age else {
      return nil
    }
    let passing = items.removeFirst().passing
    if items.isEmpty, !passing.isEmpty { items.append(Item()) }
    if !items.isEmpty { items[0].passing = passing + items[0].passing }
    return frame
  }

  /// Removes the data of all items, but not the frames.
  mutating func takePassing() -> [any PassingData] {
    let data = items.flatMap(\.passing)
    for index in items.indices { items[index].passing = [] }
    items.removeAll { $0.frame == nil }
    return data
  }

  mutating func removeAll() { items.removeAll() }
}
