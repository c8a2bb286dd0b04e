/// A coded picture of a piece.
public struct CodedPicture: Sendable {
  /// The packet for the film.
  public let packet: Packet
  /// Presentation time in units of the film's time base.
  public let presentation: Int64
  /// Duration in the same units; 0 if unknown.
  public let duration: Int64
}
