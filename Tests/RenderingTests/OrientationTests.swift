import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// Pictures that are turned while they are rendered.
@Suite struct OrientationTests {
  static let sizes = [(1, 1), (3, 5), (37, 18), (18, 37), (64, 48), (131, 70)].map { Size(width: $0.0, height: $0.1) }

  private func comparison(
    _ orientation: Orientation, _ size: Size, _ source: PixelLayout, _ target: PixelLayout
  ) -> Comparison {
    Comparison(
      source: Signal.endpoint(size, source, source.components == .rgb ? .bt2100PQ.with(matrix: .rgb) : .bt2100PQ),
      stages: [Signal.mapping(.bt2100PQ)],
      target: Signal.endpoint(orientation.rotated(size), target, .bt709), orientation: orientation)
  }

  @Test(
    arguments: Orientation.allCases,
    [
      PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.ycbcr444, bitDepth: 12), PixelLayout(.rgb, bitDepth: 8),
      PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar),
    ])
  func againstReference(_ orientation: Orientation, _ layout: PixelLayout) throws {
    for size in Self.sizes {
      for components in [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444] {
        let comparison = comparison(orientation, size, layout, PixelLayout(components, bitDepth: 10))
        let frame = CodedFrame.random(comparison.source.format, seed: 5)
        for difference in try comparison.differences(frame) {
          #expect(difference.largest <= 1, "\(size) \(components)")
        }
      }
    }
  }

  /// Where the pixel at (x, y) of the turned picture comes from, in a source of `width` by `height`.
  struct Turn: Sendable, CustomStringConvertible {
    let description: String
    let orientation: Orientation
    let origin: @Sendable (_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int)
  }

  static let turns = [
    Turn(description: "clockwise", orientation: .clockwise) { x, y, _, height in (y, height - 1 - x) },
    Turn(description: "counterclockwise", orientation: .counterclockwise) { x, y, width, _ in (width - 1 - y, x) },
    Turn(description: "half", orientation: .upsideDown) { x, y, width, height in (width - 1 - x, height - 1 - y) },
    Turn(
      description: "mirror", orientation: Orientation(swapsAxes: false, reversesColumns: true, reversesRows: false)
    ) { x, y, width, _ in (width - 1 - x, y) },
    Turn(
      description: "flip", orientation: Orientation(swapsAxes: false, reversesColumns: false, reversesRows: true)
    ) { x, y, _, height in (x, height - 1 - y) },
    Turn(
      description: "diagonal", orientation: Orientation(swapsAxes: true, reversesColumns: false, reversesRows: false)
    ) { x, y, _, _ in (y, x) },
    Turn(
      description: "other diagonal",
      orientation: Orientation(swapsAxes: true, reversesColumns: true, reversesRows: true)
    ) { x, y, width, height in (width - 1 - y, height - 1 - x) },
  ]

  /// Without subsampling, turning before is the same as turning after.
  @Test(arguments: turns, KernelTier.supported)
  func rendersTheTurnedPicture(_ turn: Turn, _ tier: KernelTier) throws {
    let layout = PixelLayout(.ycbcr444, bitDepth: 10)
    for size in Self.sizes {
      let turning = comparison(turn.orientation, size, layout, layout)
      let frame = CodedFrame.random(turning.source.format, seed: 3)
      let upright = comparison(.identity, turn.orientation.rotated(size), layout, layout)
      let turned = CodedFrame(upright.source.format)
      for plane in 0..<3 {
        for y in 0..<turned.size.height {
          for x in 0..<turned.size.width {
            let (column, row) = turn.origin(x, y, size.width, size.height)
            turned.setSample(frame.sample(plane: plane, x: column, y: row), plane: plane, x: x, y: y)
          }
        }
      }
      #expect(try turning.fast(frame, tier).fnv1a == upright.fast(turned, tier).fnv1a, "\(size)")
    }
  }

  @Test(arguments: Orientation.allCases)
  func anyNumberOfWorkers(_ orientation: Orientation) throws {
    let size = Size(width: 97, height: 171)
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let comparison = comparison(orientation, size, layout, PixelLayout(.ycbcr420, bitDepth: 8))
    let frame = CodedFrame.random(comparison.source.format, seed: 1)
    let hashes = try [1, 2, 7].map {
      try comparison.fast(frame, .detected, dither: true, pool: WorkerPool(count: $0)).fnv1a
    }
    #expect(Set(hashes).count == 1)
  }

  @Test func shapes() {
    #expect(Orientation.clockwise.rotated(Size(width: 16, height: 9)) == Size(width: 9, height: 16))
    #expect(Orientation.upsideDown.rotated(Size(width: 16, height: 9)) == Size(width: 16, height: 9))
    #expect(Orientation.counterclockwise.rotated(sampleAspectRatio: Rational(4, 3)) == Rational(3, 4))
    #expect(Set(Orientation.allCases).count == 8)
  }

  @Test func fieldsAreNotTurned() throws {
    let size = Size(width: 16, height: 16)
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let comparison = comparison(.clockwise, size, layout, layout)
    let frame = CodedFrame(comparison.source.format, fieldOrder: .topFirst)
    #expect(throws: RenderingError.interlacedTurn) { try comparison.fast(frame, .detected) }
  }
}
