internal import Frames

/// Faults of the pattern's placement. Scaling and bars around it are not faults, unless the pattern consists of single
/// pixels.
struct PlacementFaults {
  private(set) var faults: [Fault] = []

  /// Tolerated missing pixels per side: placement is not more precise.
  private static let slack = 1

  init(_ measurement: PatternMeasurement) {
    let placement = measurement.placement
    if let words = placement.orientation.words {
      let name = placement.orientation.isMirrored ? "placement.mirrored" : "placement.turned"
      faults.append(Fault(name, "The picture is \(words)."))
    }
    let cutOff = placement.cutOff
    if max(cutOff.left, cutOff.top, cutOff.right, cutOff.bottom) > Self.slack {
      faults.append(
        Fault("placement.cut-off", "Part of the pattern is outside the picture: \(cutOff.words) cropped."))
    } else if faults.isEmpty, !measurement.details.isEmpty, !placement.isExact,
      placement.picture == placement.rotatedCanvas
    {
      faults.append(Self.inexact(placement))
    }
  }

  /// The fault of a fine-structure pattern that is not shown pixel by pixel in a picture of its size.
  private static func inexact(_ placement: Placement) -> Fault {
    let name = placement.isScaled ? "placement.scaled" : "placement.shifted"
    return Fault(
      name,
      "The pattern should fill the picture pixel by pixel; found: \(placement.words). Its fine structure was not "
        + "measured.")
  }
}
