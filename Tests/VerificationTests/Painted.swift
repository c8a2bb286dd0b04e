import ColorScience
import Frames
import Patterns
import Testing
import Verification

/// A pattern as frames, and its verification.
struct Painted {
  var pattern: ChosenPattern
  var signal: PatternSignal
  var size = Size(width: 640, height: 360)
  var components = PixelLayout.Components.ycbcr420
  /// What samples are made by.
  var color: ColorDescription
  var metadata = HDRMetadata()

  init(_ name: String, _ signal: PatternSignal) throws {
    pattern = try ChosenPattern(name)
    self.signal = signal
    color = ColorDescription(
      primaries: signal.primaries, transfer: signal.transfer, matrix: signal.matrix, range: signal.range,
      chromaLocation: signal.kind == .sdr ? .left : .topLeft)
  }

  var drawing: PatternDrawing { pattern.pattern.drawing(on: pattern.canvas(size: size, signal: signal)) }

  /// A frame of the pattern.
  /// - Parameter distort: What becomes of each signal.
  func frame(_ number: Int = 0, distort: (@Sendable (SIMD3<Double>) -> SIMD3<Double>)? = nil) -> CodedFrame {
    var drawing = pattern.pattern.drawing(on: pattern.canvas(size: size, signal: signal), frame: number)
    if let distort { drawing = drawing.distorted(distort) }
    var color = color
    if components == .rgb { color.matrix = .rgb }
    let frame = CodedFrame(
      size: size, layout: PixelLayout(components, bitDepth: signal.bitDepth), color: color, metadata: metadata)
    PatternPainter(drawing).paint(into: frame)
    return frame
  }

  func verify(
    _ frames: [CodedFrame], expectation: PatternExpectation? = nil,
    expected: ExpectedMetadata = ExpectedMetadata(isRequired: false), tolerance: Tolerance = Tolerance()
  ) throws -> Verification {
    let verifier = Verifier(
      pattern: pattern, expectation: expectation ?? PatternExpectation(signal), input: Verifier.Input(name: "painted"),
      expectedMetadata: expected, tolerance: tolerance)
    for frame in frames { try verifier.add(frame) }
    return try #require(verifier.finish())
  }
}

extension PatternDrawing {
  func distorted(_ distort: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>) -> PatternDrawing {
    var result = self
    result.background = distort(background)
    for index in elements.indices {
      switch elements[index].content {
      case .flat(let signal): result.elements[index].content = .flat(distort(signal))
      case .columns(let signal): result.elements[index].content = .columns { distort(signal($0)) }
      case .rows(let signal): result.elements[index].content = .rows { distort(signal($0)) }
      case .pixels(let signal): result.elements[index].content = .pixels { distort(signal($0, $1)) }
      }
    }
    for index in labels.indices { result.labels[index].signal = distort(labels[index].signal) }
    return result
  }
}

extension CodedFrame {
  /// The frame with every sample replaced.
  func replacing(_ sample: (_ plane: Int, _ x: Int, _ y: Int) -> Int) -> CodedFrame {
    let result = CodedFrame(size: size, layout: layout, color: color, time: time, metadata: metadata)
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { result.setSample(sample(plane, x, y), plane: plane, x: x, y: y) }
      }
    }
    return result
  }

  func tagged(_ change: (inout ColorDescription) -> Void) -> CodedFrame {
    var color = color
    change(&color)
    return described(as: color)
  }
}

extension Verification {
  var faultNames: [String] { faults.map(\.name) }
}
