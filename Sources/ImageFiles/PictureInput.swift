public import FFmpegIO
public import Frames

/// An input of pictures, which has one stream and nothing beside it.
public protocol PictureInput: MediaInput {}

extension PictureInput {
  /// There are no other streams.
  public func pass(_ streams: [StreamCopy]) {}

  public func streams(matching specifier: String) throws(FFmpegError) -> [Int] {
    ["", "v", "v:0", "V", "V:0", "0"].contains(specifier) ? [0] : []
  }

  public func streamCopy(_ index: Int) throws(FFmpegError) -> StreamCopy? { nil }

  public func read() throws -> StreamItem? { try readFrame().map { StreamItem(frame: $0) } }
}
