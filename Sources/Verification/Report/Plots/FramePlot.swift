internal import Foundation
internal import Frames
internal import HTMLReports
internal import Patterns

/// The input picture, with failing patches outlined.
struct FramePlot {
  let verification: Verification
  /// The picture as PNG of any size; nil: only the outlines are drawn.
  let picture: Data?

  var plot: Plot {
    let size = verification.input.size
    let (width, height) = (Double(max(size.width, 1)), Double(max(size.height, 1)))
    let content = Drawing.picture(picture, SIMD2(width, height)) + outlines(text: max(width / 70, height / 40))
    let failing = verification.patches.count { !$0.passes }
    return Plot(
      name: "picture", title: "The picture",
      description: "A frame of the input, \(size.width) by \(size.height) pixels"
        + (failing == 0 ? "." : ", with \(failing) patches outlined that fail, numbered as in the table."),
      width: width, height: height, content: content)
  }

  /// - Parameter text: Height of the numbers in picture pixels.
  private func outlines(text: Double) -> [Markup] {
    verification.groups.flatMap(\.patches).enumerated().flatMap { index, result -> [Markup] in
      guard !result.passes, let (from, to) = place(result) else { return [] }
      return [
        Drawing.rectangle("halo", from, to),
        Drawing.rectangle("outline", from, to, [Markup("title", [:], "\(index + 1) \(result.patch.name)")]),
        Drawing.text("tag", from + SIMD2(text * 0.3, text * 1.05), "\(index + 1)", size: text),
      ]
    }
  }

  /// Returns the area of a patch within the picture; nil if it is outside.
  private func place(_ result: PatchResult) -> (SIMD2<Double>, SIMD2<Double>)? {
    let limit = SIMD2(Double(verification.input.size.width), Double(verification.input.size.height))
    guard let corners = verification.placement?.place(result.patch.area) else { return nil }
    let places = [corners.from.x, corners.from.y, corners.to.x, corners.to.y]
    guard places.allSatisfy(\.isFinite) else { return nil }
    let from = corners.from.clamped(lowerBound: .zero, upperBound: limit)
    let to = corners.to.clamped(lowerBound: .zero, upperBound: limit)
    return from.x < to.x && from.y < to.y ? (from, to) : nil
  }
}
