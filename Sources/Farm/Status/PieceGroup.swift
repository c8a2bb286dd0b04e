/// Adjacent pieces, displayed as one.
struct PieceGroup {
  let pieces: ArraySlice<FarmStatus.Piece>

  /// The most important state; nil: some are done, the others wait.
  var state: PieceState? {
    func first(_ name: String) -> PieceState? { pieces.lazy.map(\.state).first { $0.name == name } }
    if let state = first("failed") ?? first("lost") ?? first("running") { return state }
    let done = first("done")
    return done != nil && first("waiting") != nil ? nil : done ?? .waiting
  }

  var character: Character {
    switch state {
    case .failed: "!"
    case .lost: "?"
    case .running: ">"
    case .done: "#"
    case .waiting: "."
    case nil: "+"
    }
  }

  var frames: Int { pieces.reduce(0) { $0 + $1.frames } }
  var framesDone: Int { pieces.reduce(0) { $0 + $1.framesDone } }

  /// The range of numbers: "17", "17 to 20".
  var numbers: String {
    guard let first = pieces.first?.number, let last = pieces.last?.number else { return "" }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }
}

extension FarmStatus {
  /// Returns all pieces in order, in groups of nearly equal size.
  func groups(atMost most: Int) -> [PieceGroup] {
    let count = min(max(most, 1), pieces.count)
    return (0..<count).map { index in
      PieceGroup(pieces: pieces[index * pieces.count / count..<(index + 1) * pieces.count / count])
    }
  }
}
