internal import ColorScience
internal import Frames

extension PixelFormat {
  /// What the components of a source of this format are. Grey is grey by every matrix, and read as R'G'B'.
  func componentModel() throws(RenderingError) -> ComponentModel {
    if [.rgb, .gray].contains(layout.components) { return .rgb }
    guard color.matrix != .rgb,
      let model = ComponentModel(color.matrix, primaries: color.primaries.space, transfer: color.transfer)
    else { throw .undefinedMatrix(color.matrix, layout, color.transfer) }
    return model
  }
}
