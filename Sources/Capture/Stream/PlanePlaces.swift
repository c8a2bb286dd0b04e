internal import Frames

/// Where the planes of a frame lie in the memory of a buffer.
struct PlanePlaces {
  struct Place: Hashable {
    /// The buffer plane.
    let memory: Int
    let offset: Int
    let stride: Int
  }

  let planes: [Place]

  /// - Parameters:
  ///   - used: Bytes in each buffer plane.
  ///   - starts: Where samples begin in them.
  /// - Returns: nil if the frame does not fit in them, or is coded.
  init?(_ setup: CaptureSetup, used: [Int], starts: [Int]) {
    guard let layout = setup.mode.format.layout else { return nil }
    let size = setup.mode.size
    var planes: [Place] = []
    // Where the next plane begins in each memory.
    var ends = starts
    for index in 0..<layout.planeCount {
      let memory = setup.mode.format.hasSeparatePlanes ? index : 0
      guard memory < setup.planes.count, memory < used.count, memory < starts.count,
        starts[memory] % layout.bytesPerSample == 0
      else { return nil }
      let extent = layout.planeSize(index, of: size)
      let row = extent.width * layout.bytesPerSample
      // Planes of one memory share a stride, which for chroma planes of their own counts half as many samples.
      let stated = setup.planes[memory].stride
      let isHalved = layout.packing == .planar && index > 0 && layout.chromaShiftX == 1
      let stride = stated == 0 ? row : isHalved ? stated / 2 : stated
      // Samples of two bytes are read as words.
      guard stride >= row, stride <= 1 << 24, stride % layout.bytesPerSample == 0 else { return nil }
      planes.append(Place(memory: memory, offset: ends[memory], stride: stride))
      // The last row need not be padded.
      guard ends[memory] + stride * (extent.height - 1) + row <= used[memory] else { return nil }
      ends[memory] += stride * extent.height
    }
    self.planes = planes
  }
}
