internal import Foundation

/// SVG shapes; the page's style defines their appearance by class.
package enum Drawing {
  /// Formats a length or coordinate, to a hundredth.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let text = String(format: "%.2f", min(max(value, -1e6), 1e6))
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }

  /// Returns a straight line.
  package static func line(_ kind: String, _ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Markup {
    Markup(
      "line", ["class": kind, "x1": number(from.x), "y1": number(from.y), "x2": number(to.x), "y2": number(to.y)])
  }

  /// Returns a rectangle between two opposite corners.
  package static func rectangle(
    _ kind: String, _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ children: [Markup] = []
  ) -> Markup {
    Markup(
      "rect",
      [
        "class": kind, "x": number(min(from.x, to.x)), "y": number(min(from.y, to.y)),
        "width": number(abs(to.x - from.x)), "height": number(abs(to.y - from.y)),
      ], children)
  }

  /// Returns a polyline through points; interrupted at nil.
  package static func path(_ kind: String, _ places: [SIMD2<Double>?], isClosed: Bool = false) -> Markup {
    var text = ""
    var isBroken = true
    for place in places {
      if let place { text += "\(isBroken ? "M" : "L")\(number(place.x)) \(number(place.y))" }
      isBroken = place == nil
    }
    return Markup("path", ["class": kind, "d": text + (isClosed ? "Z" : "")])
  }

  /// The part of a text at its position.
  package enum Anchor: String {
    case start, middle, end
  }

  /// Returns a line of text.
  package static func text(_ kind: String, _ place: SIMD2<Double>, _ text: String, _ anchor: Anchor = .start) -> Markup
  {
    Markup(
      "text", ["class": kind, "x": number(place.x), "y": number(place.y), "text-anchor": anchor.rawValue], text)
  }

  /// Returns text that runs from bottom to top.
  package static func upwards(_ kind: String, _ place: SIMD2<Double>, _ text: String) -> Markup {
    Markup(
      "text",
      [
        "class": kind, "text-anchor": "middle",
        "transform": "translate(\(number(place.x)) \(number(place.y))) rotate(-90)",
      ], text)
  }

  /// Returns a mark for a measured value: a disc, or a diamond if it fails, so that shape and colour both differ.
  package static func mark(_ place: SIMD2<Double>, passes: Bool, _ title: String) -> Markup {
    let title = Markup("title", [:], title)
    if passes {
      return Markup("circle", ["class": "pass", "cx": number(place.x), "cy": number(place.y), "r": "4"], [title])
    }
    let (x, y) = (place.x, place.y)
    let points = [(x, y - 6.5), (x + 6.5, y), (x, y + 6.5), (x - 6.5, y)]
    let text = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
    return Markup("polygon", ["class": "fail", "points": text], [title])
  }

  /// Returns a mark for an intended value.
  package static func ring(_ place: SIMD2<Double>) -> Markup {
    Markup("circle", ["class": "intended", "cx": number(place.x), "cy": number(place.y), "r": "5.5"])
  }
}
