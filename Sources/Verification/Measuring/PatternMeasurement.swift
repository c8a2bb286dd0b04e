internal import ColorScience
internal import Frames
internal import Patterns

/// All measurements of a located pattern.
struct PatternMeasurement {
  /// A patch with its area, expected colour and measurement.
  struct Patch {
    var patch: PatternDrawing.Patch
    var area: PictureArea?
    /// Signal in the input's encoding, neither rounded nor limited.
    var expected: SIMD3<Double>
    /// The signal quantized to the input's bit depth.
    var stored: SIMD3<Double>
    /// ICtCp of both.
    var expectedColor: SIMD3<Double>
    var storedColor: SIMD3<Double>
    var tally = PatchTally()
  }

  let placement: Placement
  let canvas: PatternCanvas
  let rendition: Rendition
  let first: CodedFrame
  private let pattern: TestPattern
  private(set) var patches: [Patch]
  private(set) var ramps: [(ramp: PatternDrawing.Ramp, tally: RampTally)]
  private(set) var details: [DetailResult] = []
  /// Frames that detail results are from, if not the first.
  private(set) var detailFrames: [Int: Int] = [:]
  /// Chroma shift right and down from the expected siting, in luma pixels; nil: undetermined.
  private(set) var chromaShift: SIMD2<Double>?
  /// Chroma shift at patch edges, in patterns without conclusive details.
  private(set) var edgeShift: SIMD2<Double>?
  private(set) var frameTally: FrameTally?
  private(set) var marks = MarkTally()
  /// Comparison of the areas between patches; nil: the pattern is not shown pixel by pixel.
  private(set) var comparison: PictureComparison?
  private(set) var frames = 0
  /// Indices of the first frames that no longer show the pattern.
  private(set) var absent: [Int] = []
  private(set) var absentCount = 0
  /// Number of frames with another size or format.
  private(set) var otherFormat = 0
  private let codeReader: FrameCodeReader?
  private let tolerance: Tolerance
  private var detailWatch: DetailWatch?

  /// Deviation of a patch from its mean, as a fraction of the range, that indicates another picture.
  private static let absentDifference = 0.08
  private static let absentShare = 0.6
  private static let maximumAbsent = 1000

  init(
    _ pattern: TestPattern, _ canvas: PatternCanvas, _ placement: Placement, _ expectation: PatternExpectation,
    first: CodedFrame, tolerance: Tolerance
  ) throws(VerificationError) {
    self.tolerance = tolerance
    self.pattern = pattern
    self.canvas = canvas
    self.placement = placement
    self.first = first
    let reading = try SignalReading(first, expected: expectation.signal)
    let rendition = Rendition(expectation, reading)
    self.rendition = rendition
    let drawing = pattern.drawing(on: canvas)
    let layout = PatternLayout(drawing: drawing, placement: placement)
    patches = Self.patches(layout, rendition)
    ramps = drawing.ramps.map { ramp in
      let area = layout.area(of: ramp) ?? PictureArea(x: 0, y: 0, width: 0, height: 0)
      return (ramp, RampTally(area, isHorizontal: layout.isHorizontal(ramp)))
    }
    codeReader = drawing.frameCode.flatMap { FrameCodeReader($0, placement) }
    if codeReader != nil { frameTally = FrameTally() }
    if !canCompareDetails {
      details = drawing.details.map { DetailResult(detail: $0, area: nil, shift: nil, contrast: nil, passes: true) }
    }
  }

  private static func patches(_ layout: PatternLayout, _ rendition: Rendition) -> [Patch] {
    layout.drawing.patches.map { patch in
      let reading = rendition.reading
      let expected = rendition.signal(patch.signal)
      let stored = reading.signal(components: reading.stored(expected))
      return Patch(
        patch: patch, area: layout.area(of: patch), expected: expected, stored: stored,
        expectedColor: reading.ictcp(nits: reading.nits(expected)),
        storedColor: reading.ictcp(nits: reading.nits(stored)))
    }
  }

  /// - Parameter index: Index of the frame in the input, from 0.
  mutating func add(_ frame: CodedFrame, at index: Int) {
    guard frame.format == first.format else {
      otherFormat += 1
      return
    }
    var reader = SampleReader(frame)
    let isRGB = rendition.reading.isRGB
    var number: Int?
    if let codeReader {
      let range = rendition.reading.linearUnit == nil ? rendition.reading.scale.lumaScale : 0
      number = codeReader.number(&reader, range: range, isRGB: isRGB)
    }
    let areas = pattern.isMoving ? areas(of: number) : patches.map(\.area)
    let readings = areas.map { $0.flatMap { PatchReading(&reader, $0, isRGB: isRGB) } }
    guard isPresent(readings) else {
      absentCount += 1
      if absent.count < Self.maximumAbsent { absent.append(index) }
      return
    }
    frames += 1
    frameTally?.add(number, at: index)
    if let number {
      marks.add(&reader, drawing(of: number), placement, rendition, tolerance: tolerance, at: index)
    }
    for patch in patches.indices {
      guard let reading = readings[patch] else { continue }
      patches[patch].tally.add(reading, deltaE: deltaE(reading.mean, patches[patch]), frame: index)
    }
    for ramp in ramps.indices { ramps[ramp].tally.add(reader, isRGB: isRGB, frame: index) }
    guard canCompareDetails else { return }
    // Other tags may clip beyond black and white, and mappings change the colours of edges.
    if frames == 1, !rendition.isRetagged, rendition.expectation.name == nil { comparison = makeComparison(reader) }
    comparison?.add(frame, at: index)
    if frames == 1 {
      let drawing = number.map(drawing) ?? pattern.drawing(on: canvas)
      compareDetails(reader, drawing)
      if !drawing.details.isEmpty, !pattern.isMoving { detailWatch = DetailWatch(reader, drawing.details) }
    } else {
      detailWatch?.look(at: frame, reader, index: index)
    }
  }

  /// Also compares the details of the frame that differs most from the first, and keeps the worse results.
  mutating func finish() {
    guard let other = detailWatch?.other else { return }
    let later = DetailComparison(pattern.drawing(on: canvas), rendition, SampleReader(other.frame)).results
    for (place, result) in later.enumerated() where details[place].passes && !result.passes {
      details[place] = result
      detailFrames[place] = other.index
    }
  }

  private func makeComparison(_ reader: SampleReader) -> PictureComparison {
    let noise = patches.filter { $0.tally.frames > 0 }.map(\.tally.deviation).sorted()
    let moving = pattern.isMoving ? ReferencePattern.moving(in: pattern, on: canvas) : []
    return PictureComparison(
      pattern.drawing(on: canvas), leaving: moving, patches: patches.compactMap(\.area), rendition,
      noise: noise.isEmpty ? 0 : noise[noise.count / 2], reader)
  }

  /// Whether details can be compared pixel by pixel, in code values.
  private var canCompareDetails: Bool { placement.isExact && rendition.reading.linearUnit == nil }

  /// Returns the patch areas of a moving pattern in a frame; nil if a patch's colour differs from the first frame.
  private func areas(of number: Int?) -> [PictureArea?] {
    guard let number else { return patches.map { _ in nil } }
    let drawing = drawing(of: number)
    guard drawing.patches.count == patches.count else { return patches.map { _ in nil } }
    let layout = PatternLayout(drawing: drawing, placement: placement)
    return zip(drawing.patches, patches).map { now, first in
      guard now.signal == first.patch.signal else { return nil }
      return now.area == first.patch.area ? first.area : layout.area(of: now)
    }
  }

  /// Returns the drawing of a numbered frame; the first frame has the number in the pattern's parameter.
  private func drawing(of number: Int) -> PatternDrawing {
    let start = Int(canvas.values["start"] ?? 0)
    return pattern.drawing(on: canvas, frame: (number - start + FrameCode.modulus) % FrameCode.modulus)
  }

  private func deltaE(_ samples: SIMD3<Double>, _ patch: Patch) -> Double {
    let reading = rendition.reading
    let color = reading.ictcp(nits: reading.nits(reading.signal(samples: samples)))
    return min(ICtCp.deltaEITP(color, patch.expectedColor), ICtCp.deltaEITP(color, patch.storedColor))
  }

  /// Whether most patches look as before.
  private func isPresent(_ readings: [PatchReading?]) -> Bool {
    let reading = rendition.reading
    var (other, count) = (0, 0)
    for (patch, seen) in zip(patches, readings) {
      guard let seen, patch.tally.frames > 0 else { continue }
      count += 1
      let difference = reading.signal(samples: seen.mean) - reading.signal(samples: patch.tally.mean)
      if max(difference.max(), -difference.min()) > Self.absentDifference { other += 1 }
    }
    return Double(other) <= Self.absentShare * Double(count)
  }

  private mutating func compareDetails(_ reader: SampleReader, _ drawing: PatternDrawing) {
    let comparison = DetailComparison(drawing, rendition, reader)
    details = comparison.results
    chromaShift = comparison.chromaShift
    edgeShift = comparison.edgeShift
  }
}
