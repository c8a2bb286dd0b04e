public import Frames

/// Makes the bytes of a picture file from a frame; from several threads at once.
public protocol ImageEncoder: Sendable {
  /// The bytes of a picture file.
  /// - Parameter frame: In the layout that the encoder was made for. Its colour description and its metadata (mastering
  ///   display, content light, `linearUnit`) are what the file says.
  /// - Throws: `ImageFileError.notEncoded` where the library refuses, `.outOfMemory`.
  func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8]

  /// The same in place of the bytes of an earlier frame, whose memory may be used again.
  /// - Throws: As `encode(_:)`.
  func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError)
}

extension ImageEncoder {
  public func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError) {
    bytes = try encode(frame)
  }
}
