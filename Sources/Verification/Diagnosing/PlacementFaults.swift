internal import Frames

/// What is wrong with how a pattern lies in the picture. Another size is none, and neither are bars around it.
struct PlacementFaults {
  private(set) var faults: [Fault] = []

  /// Pixels that a side may lack: places are not known better.
  private static let slack = 1

  init(_ placement: Placement) {
    if let words = placement.orientation.words {
      let name = placement.orientation.isMirrored ? "placement.mirrored" : "placement.turned"
      faults.append(Fault(name, "The picture is \(words)."))
    }
    let cutOff = placement.cutOff
    if max(cutOff.left, cutOff.top, cutOff.right, cutOff.bottom) > Self.slack {
      faults.append(
        Fault("placement.cut-off", "A part of the pattern is not in the picture: \(cutOff.words) cut off."))
    }
  }
}
