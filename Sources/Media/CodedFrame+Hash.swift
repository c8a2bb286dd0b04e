public import Files
public import Frames

extension CodedFrame {
  /// Hash of the samples, row by row, without padding.
  public var contentHash: ContentHash {
    var hash = ContentHash()
    for index in 0..<layout.planeCount {
      unsafe withPlane(index) { plane in
        // The bytes of a row by layout, which may be interleaved, as the planes of the frame are allocated.
        let bytes = unsafe plane.size.width * layout.bytesPerSample
        for y in 0..<(unsafe plane.size.height) {
          unsafe hash.add(UnsafeRawBufferPointer(start: plane.row(y), count: bytes))
        }
      }
    }
    return hash
  }
}
