public import Frames
public import Patterns

/// Locates a pattern in a picture: unchanged, rotated, scaled, boxed or cropped, even with wrong tones and colours.
public struct PatternFinder: Sendable {
  private let pattern: ChosenPattern
  private let canvasSize: Size?
  private let scale: Double
  private let expectation: PatternExpectation

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
    let size = canvasSize ?? orientation.rotated(picture)
    return ReferencePattern(
      pattern.pattern, on: pattern.canvas(size: size, scale: scale, signal: expectation.drawn), expectation)
  }
}
