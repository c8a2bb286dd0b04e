internal import Frames

/// Statistics of samples of a plane.
struct SampleStatistics: Sendable {
  /// Mean without outliers.
  var mean: Double
  /// Root mean square deviation from the mean, without outliers.
  var deviation: Double
  var count: Int
  /// Share of outliers in the area, 0...1.
  var rejected: Double
}

/// Reads areas of a frame's components, independent of the memory layout.
///
/// Components are 0...2: Y', Cb, Cr, or R, G, B in this order.
struct SampleReader {
  private let frame: CodedFrame
  private var samples: [Double] = []
  private var few: [Double] = []

  /// Maximum number of samples used per area: 8x8 blocks spread over it, so that every phase of an ordered dither is
  /// included.
  private static let maximumSamples = 2048
  private static let block = 8
  /// Number of samples of a larger area searched for overlays: whole rows, spread evenly.
  private static let maximumLooks = 16_384

  init(_ frame: CodedFrame) {
    self.frame = frame
    samples.reserveCapacity(Self.maximumSamples)
  }

  /// Returns the samples of a component in a luma area: for subsampled chroma, at least the one at its centre.
  func area(_ component: Int, of area: PictureArea) -> PictureArea {
    let (shiftX, shiftY) = shifts(component)
    var (left, right) = ((area.x + (1 << shiftX) - 1) >> shiftX, area.maxX >> shiftX)
    var (top, bottom) = ((area.y + (1 << shiftY) - 1) >> shiftY, area.maxY >> shiftY)
    if right <= left { (left, right) = ((area.x + area.maxX) / 2 >> shiftX, (area.x + area.maxX) / 2 >> shiftX + 1) }
    if bottom <= top { (top, bottom) = ((area.y + area.maxY) / 2 >> shiftY, (area.y + area.maxY) / 2 >> shiftY + 1) }
    let extent = size(component)
    return PictureArea(x: left, y: top, width: right - left, height: bottom - top)
      .intersection(PictureArea(extent))
  }

  /// Returns log2 of the subsampling of a component.
  func shifts(_ component: Int) -> (x: Int, y: Int) {
    component == 0 ? (0, 0) : (frame.layout.chromaShiftX, frame.layout.chromaShiftY)
  }

  func size(_ component: Int) -> Size {
    let (shiftX, shiftY) = shifts(component)
    return Size(
      width: (frame.size.width + (1 << shiftX) - 1) >> shiftX, height: (frame.size.height + (1 << shiftY) - 1) >> shiftY
    )
  }

  /// Returns the statistics of a component over an area of its samples; nil if the area is empty.
  mutating func statistics(_ component: Int, _ area: PictureArea) -> SampleStatistics? {
    let area = area.intersection(PictureArea(size(component)))
    guard !area.isEmpty else { return nil }
    samples.removeAll(keepingCapacity: true)
    let columns = Self.runs(area.width, maximum: max(64, Self.maximumSamples / area.height))
    let rows = Self.runs(area.height, maximum: max(Self.maximumSamples / min(area.width, 64), 1))
    for run in rows {
      for y in run {
        for run in columns { append(component, row: area.y + y, from: area.x + run.lowerBound, count: run.count) }
      }
    }
    var (result, inliers) = robustStatistics()
    let isWhole = samples.count == area.width * area.height
    result.rejected =
      isWhole ? 1 - Double(result.count) / Double(samples.count) : rejected(component, area, inliers)
    return result
  }

  /// Returns the share of outliers in an area.
  private func rejected(_ component: Int, _ area: PictureArea, _ inliers: ClosedRange<Double>) -> Double {
    let rows = min(max(Self.maximumLooks / area.width, 64), area.height)
    var outside = 0
    for index in 0..<rows {
      let y = area.y + (2 * index + 1) * area.height / (2 * rows)
      row(component, y, from: area.x, count: area.width) { if !inliers.contains($1) { outside += 1 } }
    }
    return Double(outside) / Double(rows * area.width)
  }

  /// Visits the samples of a row of a component.
  func row(_ component: Int, _ y: Int, from x: Int, count: Int, _ body: (_ index: Int, _ sample: Double) -> Void) {
    if frame.layout.components == .gray, component > 0 {
      let neutral = Double(1 << (frame.layout.bitDepth - 1))
      for index in 0..<count { body(index, neutral) }
      return
    }
    let place = place(component)
    unsafe frame.withPlane(place.plane) { plane in
      let row = unsafe plane.row(y)
      let first = place.first + x * place.step
      precondition(
        unsafe y >= 0 && y < plane.size.height && x >= 0 && first + (count - 1) * place.step < plane.size.width)
      if frame.layout.samples == .half {
        let values = unsafe row.assumingMemoryBound(to: Float16.self)
        for index in 0..<count { unsafe body(index, Double(values[first + index * place.step])) }
      } else if frame.layout.bytesPerSample == 1 {
        let values = unsafe row.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count { unsafe body(index, Double(values[first + index * place.step])) }
      } else {
        let values = unsafe row.assumingMemoryBound(to: UInt16.self)
        let shift = UInt16(frame.layout.sampleShift)
        for index in 0..<count { unsafe body(index, Double(values[first + index * place.step] >> shift)) }
      }
    }
  }

  /// Codes per ten-bit step.
  var tenBitCode: Double { Double(1 << max(frame.layout.bitDepth - 10, 0)) }

  /// Codes per eight-bit step: the noise of a picture dithered to eight bits.
  private var eightBitStep: Double { Double(1 << max(frame.layout.bitDepth - 8, 0)) }

  private mutating func append(_ component: Int, row y: Int, from x: Int, count: Int) {
    row(component, y, from: x, count: count) { _, sample in samples.append(sample) }
  }

  /// Returns the location of a component's samples, of Y', Cb, Cr or R', G', B'.
  private func place(_ component: Int) -> PixelLayout.SamplePlace {
    frame.layout.place(of: frame.layout.components == .rgb ? [2, 0, 1][component] : component)
  }

  /// Returns all of 0..<extent if it is at most `most`, else evenly spread runs of eight.
  private static func runs(_ extent: Int, maximum: Int) -> [Range<Int>] {
    guard extent > maximum else { return [0..<extent] }
    let count = max(maximum / block, 1)
    let length = min(block, maximum)
    return (0..<count).map {
      let start = (2 * $0 + 1) * (extent - length) / (2 * count)
      return start..<start + length
    }
  }

  /// Outliers are further from the median than text, edges and damage explain.
  private mutating func robustStatistics() -> (SampleStatistics, inliers: ClosedRange<Double>) {
    few.removeAll(keepingCapacity: true)
    let step = max(samples.count / 199, 1)
    for index in stride(from: 0, to: samples.count, by: step) where samples[index].isFinite {
      few.append(samples[index])
    }
    few.sort()
    guard !few.isEmpty else { return (SampleStatistics(mean: 0, deviation: 0, count: 0, rejected: 1), 0...0) }
    let median = few[few.count / 2]
    for index in few.indices { few[index] = abs(few[index] - median) }
    few.sort()
    // 1.4826 converts the median deviation to the standard deviation of a normal distribution.
    let spread = 1.4826 * few[few.count / 2]
    let limit = max(4 * spread, frame.layout.samples == .half ? abs(median) / 64 : 2.5 * eightBitStep)
    var sum = 0.0, squares = 0.0, count = 0
    for sample in samples where abs(sample - median) <= limit {
      sum += sample - median
      squares += (sample - median) * (sample - median)
      count += 1
    }
    let mean = sum / Double(count)
    let statistics = SampleStatistics(
      mean: median + mean, deviation: max(squares / Double(count) - mean * mean, 0).squareRoot(), count: count,
      rejected: 0)
    return (statistics, median - limit...median + limit)
  }
}
