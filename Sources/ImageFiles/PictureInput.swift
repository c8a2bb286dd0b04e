public import Media

/// An input of pictures, with a single stream.
public protocol PictureInput: MediaInput {}

extension PictureInput {
  /// Does nothing: there are no other streams.
  public func pass(_ indices: [Int]) {}

  public func streams(matching specifier: String) -> [Int] {
    ["", "v", "v:0", "V", "V:0", "0"].contains(specifier) ? [0] : []
  }

  public func read() throws -> StreamItem? { try readFrame().map { StreamItem(frame: $0) } }
}
