internal import Frames

extension CodedFrame {
  /// Writes the samples of a row of a plane.
  /// - Parameter Code: As wide as `layout.bytesPerSample`.
  func withRow<Code: FixedWidthInteger & Sendable>(
    plane: Int, y: Int, of: Code.Type = Code.self, _ body: (inout MutableSpan<Code>) -> Void
  ) {
    precondition(MemoryLayout<Code>.size == layout.bytesPerSample)
    unsafe withPlane(plane) { plane in
      let (width, height) = unsafe (plane.size.width, plane.size.height)
      precondition(y >= 0 && y < height)
      let row = unsafe plane.row(y).bindMemory(to: Code.self, capacity: width)
      let samples = unsafe UnsafeMutableBufferPointer(start: row, count: width)
      var span = unsafe samples.mutableSpan
      body(&span)
    }
  }

  /// Copies the row above.
  func repeatRow(plane: Int, y: Int) {
    let bytes = layout.planeSize(plane, of: size).width * layout.bytesPerSample
    unsafe withPlane(plane) { plane in
      let height = unsafe plane.size.height
      precondition(y > 0 && y < height)
      unsafe plane.row(y).copyMemory(from: plane.row(y - 1), byteCount: bytes)
    }
  }
}
