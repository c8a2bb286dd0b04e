public import Frames
public import Patterns

/// Locates a pattern in a picture: unchanged, rotated, scaled, boxed or cropped, even with wrong tones and colours.
public struct PatternFinder: Sendable {
  let pattern: ChosenPattern
  let canvasSize: Size?
  private let scale: Double
  let expectation: PatternExpectation

  /// Creates a finder for a pattern.
  /// - Parameters:
  ///   - pattern: The pattern, with its parameters.
  ///   - canvasSize: Size that the pattern was drawn at; nil: the picture's size, or the rotated picture's.
  ///   - scale: Pixels per point.
  ///   - expectation: The expected signal of the input.
  public init(pattern: ChosenPattern, canvasSize: Size?, scale: Double, expectation: PatternExpectation) {
    self.pattern = pattern
    self.canvasSize = canvasSize
    self.scale = scale
    self.expectation = expectation
  }

  /// Minimum visible fraction of the pattern's area.
  static let minimumVisible = 0.3

  /// The placement of the pattern in `frame`; nil if it is not found with certainty.
  public func find(in frame: CodedFrame) -> Placement? {
    guard min(frame.size.width, frame.size.height) >= 16 else { return nil }
    let picture = SearchedPicture(frame)
    let references = [false, true].map { swaps in
      drawn(Orientation(swapsAxes: swaps, reversesColumns: false, reversesRows: false), picture.size)
    }
    func reference(_ placement: Placement) -> ReferencePattern { references[placement.orientation.swapsAxes ? 1 : 0] }
    let whole = Orientation.allCases.map { orientation in
      let reference = references[orientation.swapsAxes ? 1 : 0]
      return Sighting(
        Placement(filling: picture.size, canvas: reference.canvas, orientation: orientation), of: reference, in: picture
      )
    }
    let best = Sighting.preferred(whole)
    if let best, best.isSure, best.isSteady { return best.placement }
    let search = PlacementSearch(picture)
    var candidates = [false, true].flatMap { search.placements(of: references[$0 ? 1 : 0], swapsAxes: $0) }
    candidates.sort { $0.score > $1.score }
    var sightings = candidates.prefix(12).map { candidate in
      let reference = reference(candidate.placement)
      return Sighting(reference.refined(candidate.placement, in: picture), of: reference, in: picture)
    }
    if let best, best.isSure { sightings.append(best) }
    return Sighting.preferred(sightings.filter(\.isSure))?.placement
  }

  private func drawn(_ orientation: Orientation, _ picture: Size) -> ReferencePattern {
    ReferencePattern(pattern.pattern, on: canvas(size: canvasSize ?? orientation.rotated(picture)), expectation)
  }

  func canvas(size: Size) -> PatternCanvas { pattern.canvas(size: size, scale: scale, signal: expectation.drawn) }
}

/// A refined placement with its confidence.
struct Sighting {
  let placement: Placement
  let agreement: Agreement
  /// Fraction of strong edges near their expected positions.
  let near: Double
  /// Fraction of inverted edges.
  let opposite: Double
  /// How precisely strong edges match: 1 if all match exactly.
  let tight: Double
  /// Number of strong edges that should be visible.
  let strong: Int
  /// Placement fitted to the edges.
  let fitted: Placement

  init(_ placement: Placement, of reference: ReferencePattern, in picture: SearchedPicture) {
    self.placement = placement
    agreement = reference.agreement(placement, in: picture, level: 1)
    let fit = EdgeFit(reference.edges, at: placement, in: picture.signal, block: 1, radius: 5)
    (near, opposite) = fit.shares(placement)
    tight = fit.tightness(placement)
    strong = fit.strong
    fitted = fit.fitted(placement, block: 1)
  }

  /// Whether the match is conclusive.
  var isSure: Bool {
    guard agreement.explained >= 0.85, agreement.shown >= 0.5, agreement.around <= 0.03 else { return false }
    return strong < 12
      ? agreement.explained >= 0.95 : near >= 0.55 && opposite <= (agreement.explained >= 0.97 ? 0.2 : 0.12)
  }

  /// Whether the edges do not suggest another placement.
  var isSteady: Bool { fitted.distance(placement) <= 0.75 }

  var quality: Double { 0.5 * agreement.score + 0.5 * tight }

  /// Simpler placements are preferred if they fit nearly as well.
  private var bonus: Double {
    (placement.fills ? 0.04 : 0) + (placement.orientation == .identity ? 0.02 : 0)
  }

  static func preferred(_ sightings: [Sighting]) -> Sighting? {
    sightings.max { $0.quality + $0.bonus < $1.quality + $1.bonus }
  }
}

extension ReferencePattern {
  /// Returns the placement refined to the edges, from coarse to fine.
  func refined(_ placement: Placement, in picture: SearchedPicture) -> Placement {
    var result = placement
    for level in picture.levels.prefix(3).reversed() {
      for _ in 0..<2 {
        let fit = EdgeFit(edges, at: result, in: level.grid, block: level.grid.block, radius: 3.5)
        result = fit.fitted(result, block: level.grid.block)
      }
    }
    for radius in [5.0, 3.0] {
      result = EdgeFit(edges, at: result, in: picture.signal, block: 1, radius: radius).fitted(result, block: 1)
    }
    return result.snapped()
  }

  /// Returns how well a picture shows this pattern at a placement.
  /// - Parameter level: Level of the picture; the pattern level closest in scale is used.
  func agreement(_ placement: Placement, in picture: SearchedPicture, level: Int) -> Agreement {
    let seen = picture.levels[min(level, picture.levels.count - 1)]
    let scale = (placement.scale.x * placement.scale.y).squareRoot()
    let block = Double(seen.grid.block) / scale
    let nearest = levels.min { a, b in
      max(Double(a.grid.block) / block, block / Double(a.grid.block))
        < max(Double(b.grid.block) / block, block / Double(b.grid.block))
    }
    return Agreement(placement, of: nearest ?? levels[0], in: seen)
  }
}

extension Placement {
  /// Returns the placement with edges snapped to whole pixels where they nearly are.
  func snapped() -> Placement {
    var result = self
    for index in 0..<2 {
      let place = axis(index)
      func snap(_ value: Double) -> Double { abs(value - value.rounded()) <= 0.25 ? value.rounded() : value }
      let (from, to) = (snap(place.origin), snap(place.end))
      result.origin[index] = from
      result.scale[index] = (to - from) / place.length
    }
    return result
  }
}

/// A frame in the forms used for the search.
struct SearchedPicture {
  let signal: FrameSignal
  /// The downscaled picture, largest first.
  let levels: [ClassedGrid]

  init(_ frame: CodedFrame) {
    signal = FrameSignal(frame)
    levels = ClassedGrid.pyramid(of: signal.grid())
  }

  var size: Size { signal.frame.size }
}
