internal import ColorScience
internal import Frames
internal import Patterns

/// Whether the tags of the input are those of what it should be.
struct TagCheck {
  private(set) var faults: [Fault] = []
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - tags: As they were found; gaps are unspecified.
  ///   - explained: Names of faults that a hypothesis gives: what they say of tags is not said twice.
  ///   - passes: The patches have the light that they should, by the tags.
  init(_ tags: ColorDescription, _ rendition: Rendition, explained: [String], passes: Bool) {
    let signal = rendition.expectation.signal
    func check(_ name: String, _ words: String, isUnspecified: Bool, isOther: Bool, _ found: String, _ wanted: String) {
      if isUnspecified {
        let sentence = "The \(words) are not tagged: they should be \(wanted)."
        if signal.kind == .sdr {
          notes.append(sentence)
        } else {
          faults.append(Fault("tags.\(name)", sentence + " Players take such streams for SDR."))
        }
      } else if isOther, !explained.contains(where: { $0.hasPrefix("\(name).") }) {
        let sentence = "The \(words) are tagged \(found), and the pattern's are \(wanted)."
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
