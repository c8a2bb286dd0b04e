import Frames
import Scopes
import Testing

@Suite struct ScopeLayoutTests {
  /// Some of all kinds, from one to five.
  static let choices: [[ScopeKind]] =
    ScopeKind.allCases.map { [$0] } + (2...5).map { Array(ScopeKind.allCases.prefix($0)) }
    + [[.vectorscope, .chromaticity], [.chromaticity, .histogram, .waveform], ScopeKind.allCases.reversed()]

  @Test(arguments: choices, [1, 1.5, 2, 3])
  func scopesAreInsideAndApart(_ kinds: [ScopeKind], _ scale: Double) throws {
    let least = try ScopeLayout.minimumSize(kinds.count, scale: scale)
    for more in [Size(width: 0, height: 0), Size(width: 337, height: 1), Size(width: 1, height: 611)] {
      let size = Size(width: least.width + more.width, height: least.height + more.height)
      let layout = try ScopeLayout(kinds: kinds, size: size, scale: scale)
      #expect(layout.places.map(\.kind) == kinds)
      var covered = 0
      for (index, place) in layout.places.enumerated() {
        #expect(place.area.intersection(PictureArea(size)) == place.area)
        covered += place.area.width * place.area.height
        for other in layout.places[(index + 1)...] { #expect(place.area.intersection(other.area).isEmpty) }
        for (index, plot) in place.plots.enumerated() {
          #expect(plot.width >= Int(20 * scale) && plot.height >= Int(20 * scale))
          #expect(plot.intersection(place.area.inset(1, 1)) == plot)
          for other in place.plots[(index + 1)...] { #expect(plot.intersection(other).isEmpty) }
        }
      }
      #expect(covered == size.width * size.height)
    }
  }

  @Test(arguments: choices) func twiceTheScaleIsTwiceTheSize(_ kinds: [ScopeKind]) throws {
    for size in [Size(width: 1280, height: 720), Size(width: 1001, height: 997), Size(width: 1300, height: 2201)] {
      let layout = try ScopeLayout(kinds: kinds, size: size, scale: 1)
      let double = try ScopeLayout(
        kinds: kinds, size: Size(width: 2 * size.width, height: 2 * size.height), scale: 2)
      #expect(double.places.map(\.area) == layout.places.map { $0.area.doubled })
      #expect(double.places.map(\.plots) == layout.places.map { $0.plots.map(\.doubled) })
      if kinds.contains(where: { $0 == .waveform || $0 == .parade }) {
        #expect(double.columns == 2 * layout.columns)
      }
    }
  }

  @Test(arguments: 1...5, [1, 1.5, 2]) func tooSmallSizesAreRefused(_ count: Int, _ scale: Double) throws {
    let kinds = Array(ScopeKind.allCases.prefix(count))
    let least = try ScopeLayout.minimumSize(count, scale: scale)
    let size = Size(width: least.width - 1, height: least.height - 1)
    #expect(throws: ScopeError.tooSmall(size, minimum: least, scopes: count, scale: scale)) {
      try ScopeLayout(kinds: kinds, size: size, scale: scale)
    }
    #expect(throws: ScopeError.self) {
      try ScopeLayout(kinds: kinds, size: Size(width: 0, height: -3), scale: scale)
    }
  }

  @Test func nonsenseIsRefused() {
    let size = Size(width: 1280, height: 720)
    #expect(throws: ScopeError.noKinds) { try ScopeLayout(kinds: [], size: size, scale: 1) }
    for scale in [0, -1, 1000, Double.infinity] {
      #expect(throws: ScopeError.scale(scale)) { try ScopeLayout(kinds: [.waveform], size: size, scale: scale) }
    }
    #expect(throws: ScopeError.self) { try ScopeLayout(kinds: [.waveform], size: size, scale: .nan) }
  }

  @Test func repeatedKindsAreShownOnce() throws {
    let layout = try ScopeLayout(
      kinds: [.parade, .waveform, .parade], size: Size(width: 1280, height: 720), scale: 1)
    #expect(layout.kinds == [.parade, .waveform])
  }

  /// Rows of scopes as their tops tell them.
  private func rows(_ kinds: [ScopeKind], _ width: Int, _ height: Int) throws -> [Int] {
    let layout = try ScopeLayout(kinds: kinds, size: Size(width: width, height: height), scale: 1)
    return Dictionary(grouping: layout.places) { $0.area.y }.sorted { $0.key < $1.key }.map(\.value.count)
  }

  @Test func rowsFollowTheShapeOfThePicture() throws {
    let all = ScopeKind.allCases
    #expect(try rows([.waveform, .vectorscope], 1280, 500) == [2])
    #expect(try rows([.waveform, .parade], 700, 1280) == [1, 1])
    #expect(try rows(Array(all.prefix(4)), 1280, 720) == [2, 2])
    #expect(try rows(all, 1920, 1080).reduce(0, +) == 5)
    #expect(try rows(all, 1920, 1080).count == 2)
  }

  @Test func planesAreSquares() throws {
    for size in [Size(width: 1280, height: 720), Size(width: 640, height: 1400)] {
      let layout = try ScopeLayout(kinds: [.waveform, .vectorscope, .chromaticity], size: size, scale: 1)
      for place in layout.places.dropFirst() { #expect(place.plots[0].width == place.plots[0].height) }
    }
  }

  @Test func columnsAreThoseOfTheWidestPlot() throws {
    let size = Size(width: 1280, height: 720)
    let both = try ScopeLayout(kinds: [.parade, .waveform], size: size, scale: 1)
    #expect(both.columns == both.places[1].plots[0].width)
    #expect(try ScopeLayout(kinds: [.vectorscope, .histogram], size: size, scale: 1).columns == 1)
  }
}

extension PictureArea {
  fileprivate var doubled: PictureArea { PictureArea(x: 2 * x, y: 2 * y, width: 2 * width, height: 2 * height) }
}
