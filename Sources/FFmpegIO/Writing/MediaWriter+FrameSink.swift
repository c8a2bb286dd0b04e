public import Frames

extension MediaWriter: FrameSink {
  public func pass(_ data: any PassingData) throws {
    guard let batch = data as? PacketBatch else { return }
    try pass(batch)
  }
}
