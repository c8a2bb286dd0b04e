import ColorScience
import Frames
import Patterns
import Testing

/// A pattern on a canvas, painted.
struct PaintedPattern: CustomStringConvertible {
  let pattern: TestPattern
  let canvas: PatternCanvas
  let drawing: PatternDrawing
  let rows: [[SIMD3<Double>]]

  init(_ pattern: TestPattern, _ canvas: PatternCanvas, frame: Int = 0) {
    self.pattern = pattern
    self.canvas = canvas
    drawing = pattern.drawing(on: canvas, frame: frame)
    let painter = PatternPainter(drawing)
    rows = (0..<canvas.size.height).map { y in
      var row = [SIMD3<Double>](repeating: .zero, count: canvas.size.width)
      painter.paint(row: y, into: &row)
      return row
    }
  }

  var description: String { "\(pattern.name) \(canvas.size) \(canvas.signal) \(canvas.values)" }

  static func defaults(_ pattern: TestPattern) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: pattern.parameters.map { ($0.name, $0.default) })
  }

  static func signals(_ pattern: TestPattern) -> [PatternSignal] {
    pattern.kinds.flatMap { kind in
      pattern.ranges.map { PatternSignal(kind, range: $0, bitDepth: max(pattern.minimumBitDepth, 10)) }
    }
  }
}

@Suite("All patterns")
struct PatternListTests {
  @Test("Eighteen of them, each with a name, a line that says what it is and a source")
  func list() {
    #expect(TestPattern.all.count == 18)
    #expect(Set(TestPattern.all.map(\.name)).count == 18)
    for pattern in TestPattern.all {
      #expect(pattern.summary.hasSuffix(".") && !pattern.summary.contains("\n"))
      #expect(!pattern.source.isEmpty && !pattern.kinds.isEmpty && !pattern.ranges.isEmpty)
      #expect(Set(pattern.parameters.map(\.name)).count == pattern.parameters.count)
      for parameter in pattern.parameters {
        #expect(parameter.range.contains(parameter.default))
        #expect(parameter.name == parameter.name.lowercased())
      }
    }
  }

  /// Whatever is measured lies in the picture, apart from each other, and is there; labels leave it free.
  private func check(_ painted: PaintedPattern) {
    let (drawing, size) = (painted.drawing, painted.canvas.size)
    var owners = [Int](repeating: 0, count: size.width * size.height)
    var (overlaps, wrong) = (0, 0)
    func inside(_ area: PictureArea) -> Bool {
      !area.isEmpty && area.x >= 0 && area.y >= 0 && area.maxX <= size.width && area.maxY <= size.height
    }
    for patch in drawing.patches {
      guard inside(patch.area) else {
        Issue.record("\(painted): patch \(patch.name) at \(patch.area)")
        continue
      }
      for y in patch.area.y..<patch.area.maxY {
        for x in patch.area.x..<patch.area.maxX {
          owners[y * size.width + x] += 1
          overlaps += owners[y * size.width + x] > 1 ? 1 : 0
          wrong += painted.rows[y][x] == patch.signal ? 0 : 1
        }
      }
    }
    for ramp in drawing.ramps {
      guard inside(ramp.area) else {
        Issue.record("\(painted): ramp \(ramp.name) at \(ramp.area)")
        continue
      }
      for y in ramp.area.y..<ramp.area.maxY {
        for x in ramp.area.x..<ramp.area.maxX {
          owners[y * size.width + x] += 1
          overlaps += owners[y * size.width + x] > 1 ? 1 : 0
          wrong += painted.rows[y][x] == ramp.signal(x - ramp.area.x) ? 0 : 1
        }
      }
    }
    for detail in drawing.details {
      #expect(inside(detail.area), "\(painted): detail \(detail.name) at \(detail.area)")
      for y in detail.area.y..<detail.area.maxY {
        for x in detail.area.x..<detail.area.maxX { overlaps += owners[y * size.width + x] }
      }
    }
    #expect(overlaps == 0, "\(painted)")
    #expect(wrong == 0, "\(painted)")
    let names = drawing.patches.map(\.name) + drawing.ramps.map(\.name) + drawing.details.map(\.name)
    #expect(Set(names).count == names.count, "\(painted)")
    #expect(!drawing.patches.isEmpty, "\(painted)")
    let signals = drawing.patches.map(\.signal)
    let isVideo = signals.allSatisfy { signal in
      (0..<3).allSatisfy { signal[$0] >= -0.07 && signal[$0] <= 1.0921 }
    }
    #expect(isVideo, "\(painted)")
  }

  @Test(
    "Patches, ramps and details lie apart in the picture and hold what they should",
    arguments: TestPattern.all.map(\.name), [Size(width: 64, height: 64), Size(width: 321, height: 199)])
  func layout(_ name: String, _ size: Size) throws {
    let pattern = try #require(TestPattern.named(name))
    for signal in PaintedPattern.signals(pattern) {
      check(
        PaintedPattern(pattern, PatternCanvas(size: size, signal: signal, values: PaintedPattern.defaults(pattern))))
    }
  }

  @Test("So they do in pictures of other shapes", arguments: TestPattern.all.map(\.name))
  func shapes(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    let signal = PaintedPattern.signals(pattern)[0]
    for (width, height, scale) in [(90, 160, 1.0), (640, 64, 1), (64, 333, 1), (320, 180, 2), (127, 65, 0.5)] {
      let canvas = PatternCanvas(
        size: Size(width: width, height: height), scale: scale, signal: signal, values: PaintedPattern.defaults(pattern)
      )
      check(PaintedPattern(pattern, canvas))
    }
  }

  @Test("So do the middles of patches in HD and UHD", arguments: TestPattern.all.map(\.name), [1, 2])
  func middles(_ name: String, _ factor: Int) throws {
    let pattern = try #require(TestPattern.named(name))
    let size = Size(width: 1920 * factor, height: 1080 * factor)
    var row = [SIMD3<Double>](repeating: .zero, count: size.width)
    for signal in PaintedPattern.signals(pattern) {
      let canvas = PatternCanvas(
        size: size, scale: Double(factor), signal: signal, values: PaintedPattern.defaults(pattern))
      let drawing = pattern.drawing(on: canvas)
      let painter = PatternPainter(drawing)
      let rows = Dictionary(grouping: drawing.patches) { $0.area.y + $0.area.height / 2 }
      for (y, patches) in rows {
        painter.paint(row: y, into: &row)
        for patch in patches {
          #expect(row[patch.area.x + patch.area.width / 2] == patch.signal, "\(name) \(patch.name) \(signal)")
          // What is measured of a patch is not small.
          #expect(patch.area.width >= 30 * factor && patch.area.height >= 30 * factor, "\(name) \(patch.name)")
        }
      }
    }
  }

  @Test("So they do at the ends of every parameter's range and near them", arguments: TestPattern.all.map(\.name))
  func parameters(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    for parameter in pattern.parameters {
      let near = parameter.range.lowerBound + 0.97 * (parameter.range.upperBound - parameter.range.lowerBound)
      for value in [parameter.range.lowerBound, parameter.isCount ? near.rounded() : near, parameter.range.upperBound] {
        for signal in PaintedPattern.signals(pattern) {
          var values = PaintedPattern.defaults(pattern)
          values[parameter.name] = value
          check(PaintedPattern(pattern, PatternCanvas(size: TestPattern.minimumSize, signal: signal, values: values)))
        }
      }
    }
  }

  @Test("Ramps never fall in luma's order or turn back", arguments: TestPattern.all.map(\.name))
  func ramps(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    for signal in PaintedPattern.signals(pattern) {
      let canvas = PatternCanvas(
        size: Size(width: 1001, height: 563), signal: signal, values: PaintedPattern.defaults(pattern))
      for ramp in pattern.drawing(on: canvas).ramps {
        let values = (0..<ramp.length).map(ramp.signal)
        let turns = (0..<3).filter { channel in
          let steps = zip(values, values.dropFirst()).map { $1[channel] - $0[channel] }
          return steps.contains { $0 > 1e-12 } && steps.contains { $0 < -1e-12 }
        }
        #expect(turns.isEmpty, "\(name) \(ramp.name) \(signal)")
        #expect(values.first != values.last)
      }
    }
  }

  @Test("No turn and no mirror leaves a picture as it is", arguments: TestPattern.all.map(\.name))
  func orientation(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    let signal = PaintedPattern.signals(pattern)[0]
    let rows = PaintedPattern(
      pattern,
      PatternCanvas(size: Size(width: 192, height: 192), signal: signal, values: PaintedPattern.defaults(pattern))
    ).rows
    let mirrored = rows.map { Array($0.reversed()) }
    let transposed = (0..<192).map { x in rows.map { $0[x] } }
    for turned in [mirrored, Array(rows.reversed()), Array(mirrored.reversed())] { #expect(turned != rows) }
    let turns = transposed.map { Array($0.reversed()) }
    for turned in [transposed, Array(transposed.reversed()), turns, Array(turns.reversed())] {
      #expect(turned != rows)
    }
  }

  @Test("Twice the scale is the same layout with twice the pixels", arguments: TestPattern.all.map(\.name))
  func scale(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    func drawing(_ factor: Int) -> PatternDrawing {
      pattern.drawing(
        on: PatternCanvas(
          size: Size(width: 1920 * factor, height: 1080 * factor), scale: Double(factor),
          signal: PaintedPattern.signals(pattern)[0], values: PaintedPattern.defaults(pattern)))
    }
    let (one, two) = (drawing(1), drawing(2))
    #expect(one.patches.map(\.name) == two.patches.map(\.name))
    for (a, b) in zip(one.patches, two.patches) {
      #expect(a.signal == b.signal)
      #expect(abs(2 * a.area.x - b.area.x) <= 1 && abs(2 * a.area.maxX - b.area.maxX) <= 1, "\(name) \(a.name)")
      #expect(abs(2 * a.area.y - b.area.y) <= 1 && abs(2 * a.area.maxY - b.area.maxY) <= 1, "\(name) \(a.name)")
    }
  }

  @Test("A picture of the largest size is laid out", arguments: TestPattern.all.map(\.name))
  func largest(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    let signal = PaintedPattern.signals(pattern)[0]
    let size = TestPattern.maximumSize
    let drawing = pattern.drawing(
      on: PatternCanvas(size: size, signal: signal, values: PaintedPattern.defaults(pattern)))
    let picture = PictureArea(size)
    for patch in drawing.patches { #expect(patch.area.intersection(picture) == patch.area) }
  }
}
