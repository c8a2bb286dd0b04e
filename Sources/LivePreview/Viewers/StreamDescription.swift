internal import ColorScience
internal import Displays
internal import Foundation
internal import Frames
internal import Rendering
internal import Sessions
internal import ToneMapping

/// What a stream or a still is: how large, how light becomes its codes, and the display that it was rendered for.
struct StreamDescription: Hashable {
  /// nil: a still.
  let coding: StreamForm.Coding?
  let transfer: StreamForm.Transfer
  let size: Size
  let bitDepth: Int
  let target: TargetPlan
  let display: String
  /// The picture, beside what filters draw.
  let picture: PictureArea

  /// - Parameters:
  ///   - plan: How light is mapped.
  ///   - target: What is rendered to.
  init(_ form: StreamForm, _ plan: TargetPlan, _ target: RenderTarget, isStill: Bool) {
    let format = target.endpoint.format
    coding = isStill ? nil : form.coding
    (transfer, size, bitDepth, self.target) = (form.transfer, format.size, format.layout.bitDepth, plan)
    (display, picture) = (form.display.model.name, target.picture)
  }

  /// As members of a JSON object.
  var fields: [(String, Any?)] {
    let fields: [(String, Any?)] = [
      ("codec", coding?.rawValue), ("width", size.width), ("height", size.height), ("transfer", transfer.rawValue),
      ("primaries", "\(target.color.primaries)"), ("bit_depth", bitDepth), ("display", display),
      ("peak", target.display.peak), ("sdr_white", target.display.sdrWhite), ("headroom", target.display.headroom),
      ("picture", [picture.x, picture.y, picture.width, picture.height]),
      ("reference_mode", target.referenceMode?.rawValue),
    ]
    return fields.map { ($0.0, $0.1 ?? NSNull()) }
  }

  /// As a line of JSON.
  var json: String { (try? JSON.line(fields)) ?? "{}" }
}
