extension PieceRecord {
  /// Upper limits for plausible frame and byte counts; larger ones could overflow sums.
  static let mostFrames = 1_000_000_000
  private static let mostBytes = 1 << 50
  private static let mostSeconds = 1e9

  /// Returns why this cannot be a piece's record, as a sentence ending; nil: it is plausible.
  /// - Parameter number: The number in the record's name.
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
