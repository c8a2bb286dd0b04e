internal import ColorScience
internal import Displays
internal import Foundation
internal import Frames
internal import Rendering
internal import Sessions
internal import ToneMapping

/// Properties of a stream or still: its size, the transfer of its code values, and the display it was rendered for.
struct StreamDescription: Hashable {
  /// nil: a still.
  let coding: StreamForm.Coding?
  let transfer: StreamForm.Transfer
  let size: Size
  let bitDepth: Int
  let target: TargetPlan
  let display: String
  /// Area of the picture, beside filter drawings.
  let picture: PictureArea

  /// - Parameters:
  ///   - plan: The light mapping.
  ///   - target: The render target.
  init(_ form: StreamForm, _ plan: TargetPlan, _ target: RenderTarget, isStill: Bool) {
    let format = target.endpoint.format
    coding = isStill ? nil : form.coding
    (transfer, size, bitDepth, self.target) = (form.transfer, format.size, format.layout.bitDepth, plan)
    (display, picture) = (form.display.model.name, target.picture)
  }

  /// Members of a JSON object.
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

  /// A line of JSON.
  var json: String { (try? JSON.line(fields)) ?? "{}" }
}
