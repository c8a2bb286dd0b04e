internal import Frames

/// The positions of a frame's planes in buffer memory.
struct PlanePlaces {
  struct Place: Hashable {
    /// The buffer plane.
    let memory: Int
    let offset: Int
    let stride: Int
  }

  let planes: [Place]

  /// - Parameters:
  ///   - used: Bytes used in each buffer plane.
  ///   - starts: The offset of the samples in each.
  /// - Returns: nil if the frame does not fit in the buffer, or is coded.
  init?(_ setup: CaptureSetup, used: [Int], starts: [Int]) {
    guard let layout = setup.mode.format.layout else { return nil }
    let size = setup.mode.size
    var planes: [Place] = []
    // The offset of the next plane in each memory.
    var ends = starts
    for index in 0..<layout.planeCount {
      let memory = setup.mode.format.hasSeparatePlanes ? index : 0
      guard memory < setup.planes.count, memory < used.count, memory < starts.count,
        starts[memory] % layout.bytesPerSample == 0
      else { return nil }
      let extent = layout.planeSize(index, of: size)
      let row = extent.width * layout.bytesPerSample
      // Planes in one memory share a stride; for separate chroma planes it counts half as many samples.
      let stated = setup.planes[memory].stride
      let isHalved = layout.packing == .planar && index > 0 && layout.chromaShiftX == 1
      let stride = stated == 0 ? row : isHalved ? stated / 2 : stated
      // Two-byte samples are read as words.
      guard stride >= row, stride <= 1 << 24, stride % layout.bytesPerSample == 0 else { return nil }
      planes.append(Place(memory: memory, offset: ends[memory], stride: stride))
      // The last row may lack padding.
      guard ends[memory] + stride * (extent.height - 1) + row <= used[memory] else { return nil }
      ends[memory] += stride * extent.height
    }
    self.planes = planes
  }
}
