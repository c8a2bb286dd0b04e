internal import Foundation
internal import Frames
internal import HTMLReports

extension ConstantColorPage {
  /// The pictures side by side; nil if there are no pictures and no regions.
  var figures: Markup? {
    let isDoubted = report.regions.contains { !$0.isBelieved }
    let regions = isDoubted ? " Dashed regions are not believed." : ""
    let parts = [
      figure("ambient", "Without flash", pictures.ambient, "The light of the room, as the camera saw it."),
      figure("flash", "With flash", pictures.flash, "The light of the room and of the flash."),
      figure(
        "result", "Constant colour", pictures.result,
        "The flash alone, as daylight D65\(report.isBelieved ? "." : ": not believed.")"
          + regions,
        marks: report.regions),
      figure(
        "confidence", "Confidence", pictures.confidenceMap, "White can be believed, black cannot.",
        marks: report.regions),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : .section("Pictures", [Markup("div", ["class": "pair"], parts)])
  }

  private func figure(
    _ name: String, _ title: String, _ picture: Data?, _ caption: String,
    marks: [ConstantColorReport.Region] = []
  ) -> Markup? {
    // Without pictures, the outlines of regions are still drawn, once.
    guard picture != nil || (name == "result" && !marks.isEmpty) else { return nil }
    let (width, height) = (Double(report.measurement.size.width), Double(report.measurement.size.height))
    var content = [Drawing.rectangle("paper", .zero, SIMD2(width, height))]
    if let picture {
      content.append(
        Markup(
          "image",
          [
            "width": Drawing.number(width), "height": Drawing.number(height), "preserveAspectRatio": "none",
            "href": "data:image/png;base64," + picture.base64EncodedString(),
          ]))
    }
    content += marks.enumerated().flatMap { mark($1, number: $0 + 1, in: SIMD2(width, height)) }
    let places = marks.isEmpty ? "" : ", with \(Figures.count(marks.count, "region")) outlined and numbered"
    let plot = Plot(
      name: name, title: title,
      description: caption + " \(report.measurement.size.width) by \(report.measurement.size.height) pixels\(places).",
      width: width, height: height, content: content)
    return .figure(plot, caption, kind: "picture")
  }

  /// Draws a region's outline and number: inside if it is large enough, else above or below.
  private func mark(_ region: ConstantColorReport.Region, number: Int, in picture: SIMD2<Double>) -> [Markup] {
    let text = max(picture.x, picture.y) / 32
    let from = SIMD2(Double(region.area.x), Double(region.area.y))
    let to = from + SIMD2(Double(region.area.width), Double(region.area.height))
    let width = text * 0.62 * Double(String(number).count)
    var place = from + SIMD2(text * 0.3, text * 1.05)
    if to.y - from.y < text * 1.5 || to.x - from.x < width + text * 0.6 {
      place = SIMD2(from.x, from.y > text * 1.4 ? from.y - text * 0.35 : to.y + text * 1.1)
    }
    place.x = max(min(place.x, picture.x - width - text * 0.2), text * 0.2)
    let title = Figures.short(region.name ?? "Region") + (region.isBelieved ? "" : ", not believed")
    return [
      Drawing.rectangle("edge", from, to),
      Drawing.rectangle(
        region.isBelieved ? "region" : "region doubted", from, to, [Markup("title", [:], "\(number) \(title)")]),
      Markup(
        "text",
        [
          "class": "number", "x": Drawing.number(place.x), "y": Drawing.number(place.y),
          "style": "font-size: \(Drawing.number(text))px",
        ], "\(number)"),
    ]
  }
}
