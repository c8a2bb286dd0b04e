internal import ConstantColor
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Rendering

extension ConstantColorRun {
  /// The report as a page.
  func page(_ result: ConstantColorResult, _ outcome: ConstantColorOutcome, _ kept: Kept) throws -> String {
    let form = ScenePictureForm.shown
    func png(_ light: LinearFrame?) throws -> Data? { try light.map { Data(try form.encode($0, pool: pool)) } }
    let small = result.image.reduced(toColumns: Self.pageColumns, pool: pool)
    let matrix = RGBSpace.conversion(from: result.space, to: form.primaries)
    _ = small.linearFrame(by: matrix, pool: pool)
    let map = result.confidenceMap.reduced(toColumns: Self.pageColumns)
    _ = try map.encode(as: .png, pool: pool)
    return ""
  }
}
