internal import ColorScience
internal import ConstantColor
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Rendering
internal import Sessions

extension ConstantColorRun {
  /// The report as a page.
  func page(_ result: ConstantColorResult, _ outcome: ConstantColorOutcome, _ kept: Kept) throws -> String {
    func png(_ light: LinearFrame?) throws -> Data? {
      try light.map { Data(try ScenePictureForm.shown.encode($0, pool: pool)) }
    }
    let matrix = RGBSpace.conversion(
      from: try request.form(of: request.output).primaries, to: ScenePictureForm.shown.primaries)
    let small = result.image.reduced(toColumns: Self.pageColumns, pool: pool)
    let map = result.confidenceMap.reduced(toColumns: Self.pageColumns)
    let pictures = ConstantColorPage.Pictures(
      ambient: try png(kept.ambientPage), flash: try png(kept.flashPage),
      result: try png(small.linearFrame(by: matrix, pool: pool)),
      confidenceMap: Data(try map.encode(as: .png, pool: pool)))
    return ConstantColorPage(outcome.report, pictures: pictures).html
  }
}
