internal import Frames

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
