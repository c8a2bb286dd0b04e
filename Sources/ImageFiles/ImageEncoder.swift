public import Frames

/// Encodes frames as picture files; thread-safe.
public protocol ImageEncoder: Sendable {
  /// The bytes of a picture file.
  /// - Parameter frame: A frame in the encoder's layout. Its colour description and metadata (mastering display,
  ///   content light, `linearUnit`) are written to the file.
  /// - Throws: `ImageFileError.notEncoded` if the library fails, `.outOfMemory`.
  func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8]

  /// The same, replacing the bytes of an earlier frame, whose memory may be reused.
  /// - Throws: As `encode(_:)`.
  func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError)
}

extension ImageEncoder {
  public func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError) {
    bytes = try encode(frame)
  }
}
