internal import ColorScience
internal import Frames
internal import Patterns

/// Compares the input's tags with the expected ones.
struct TagCheck {
  private(set) var faults: [Fault] = []
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - tags: Tags as found; missing ones are unspecified.
  ///   - explained: Names of faults from a hypothesis, which are not reported twice.
  ///   - passes: Whether the patches have the expected light under these tags.
  init(_ tags: ColorDescription, _ rendition: Rendition, explained: [String], passes: Bool) {
    let signal = rendition.expectation.signal
    func check(_ name: String, _ words: String, isUnspecified: Bool, isOther: Bool, _ found: String, _ wanted: String) {
      if isUnspecified {
        let sentence = "The \(words) are not tagged: they should be \(wanted)."
        if signal.kind.isSDR {
          notes.append(sentence)
        } else {
          faults.append(Fault("tags.\(name)", sentence + " Players treat such streams as SDR."))
        }
      } else if isOther, !explained.contains(where: { $0.hasPrefix("\(name).") }) {
        let sentence = "The \(words) are tagged \(found), but the pattern's are \(wanted)."
        if passes {
          notes.append(sentence + " The light is right all the same.")
        } else {
          faults.append(Fault("tags.\(name)", sentence))
        }
      }
    }
    check(
      "transfer", "transfer characteristics", isUnspecified: tags.transfer == .unspecified,
      isOther: rendition.reading.linearUnit == nil && rendition.reading.curve != DisplayCurve(signal.kind),
      "\(tags.transfer)", "\(signal.transfer)")
    check(
      "primaries", "colour primaries", isUnspecified: tags.primaries == .unspecified,
      isOther: rendition.reading.space != signal.space, "\(tags.primaries)", "\(signal.primaries)")
    guard let matrix = rendition.reading.matrix else { return }
    check(
      "matrix", "matrix coefficients", isUnspecified: tags.matrix == .unspecified,
      isOther: matrix != YCbCrMatrix(signal.matrix), "\(tags.matrix)", "\(signal.matrix)")
  }
}
