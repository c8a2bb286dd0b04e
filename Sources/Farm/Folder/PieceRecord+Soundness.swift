extension PieceRecord {
  /// Numbers above these are no frames or bytes of a film, and could overflow sums.
  static let mostFrames = 1_000_000_000
  private static let mostBytes = 1 << 50
  private static let mostSeconds = 1e9

  /// Why this cannot be the record of a piece, as the end of a sentence; nil: it can.
  /// - Parameter number: The one in the record's name.
  func unsoundness(as number: Int) -> String? {
    if number != self.number { return "it belongs to piece \(self.number)" }
    if !(0...Self.mostFrames).contains(frames) || !(0...Self.mostFrames).contains(damaged) {
      return "it has no possible number of frames"
    }
    if !(0...Self.mostBytes).contains(bytes) || !(0...Self.mostBytes).contains(peakMemory) {
      return "it has no possible number of bytes"
    }
    if !(0...Self.mostSeconds).contains(seconds) || !(0...Self.mostSeconds).contains(processorSeconds) {
      return "it took no possible time"
    }
    if (file == nil) != (frames == 0) { return "it has \(frames) frames, but \(file == nil ? "no" : "a") file" }
    if let file, PieceName(file) != .piece(number) { return "'\(file)' is no name of its file" }
    if let thumbnail, PieceName(thumbnail) != .thumbnail(number) { return "'\(thumbnail)' is no name of its thumbnail" }
    return nil
  }
}
