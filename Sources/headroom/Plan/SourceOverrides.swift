internal import ColorScience
internal import Frames

/// What the user says of the input: it goes before its tags.
struct SourceOverrides {
  var transfer: TransferCharacteristics?
  var primaries: ColorPrimaries?
  var matrix: MatrixCoefficients?
  var range: VideoRange?
  var chromaLocation: ChromaLocation?
  /// MaxCLL of PQ content in cd/m².
  var contentPeak: UInt16?
  /// What would be assumed is an error.
  var isStrict = false

  /// Tags with the overrides in their place.
  func applied(to color: ColorDescription) -> ColorDescription {
    var color = color
    color.transfer = transfer ?? color.transfer
    color.primaries = primaries ?? color.primaries
    color.matrix = matrix ?? color.matrix
    color.range = range ?? color.range
    color.chromaLocation = chromaLocation ?? color.chromaLocation
    return color
  }
}
