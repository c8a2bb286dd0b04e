/// The common parts of reports.
extension Markup {
  /// A number shown prominently.
  package struct KeyFigure: Sendable {
    var name: String
    var value: String
    var unit: String

    /// - Parameter unit: Follows the value in small type.
    package init(_ name: String, _ value: String, _ unit: String = "") {
      self.name = name
      self.value = value
      self.unit = unit
    }
  }

  /// Returns a section with a heading.
  package static func section(_ title: String, _ content: [Markup]) -> Markup {
    Markup("section", [:], [Markup("h2", [:], title)] + content)
  }

  /// Returns a plot with a caption above it.
  package static func figure(_ plot: Plot, _ caption: String, kind: String, hasTitle: Bool = true) -> Markup {
    let words = (hasTitle ? [Markup("strong", [:], plot.title)] : []) + [Markup("span", [:], caption)]
    return Markup("figure", ["class": kind], [Markup("figcaption", [:], words), plot.markup])
  }

  /// Returns a list of names and values.
  package static func facts(_ facts: [(name: String, value: String)]) -> Markup {
    Markup("dl", ["class": "facts"], facts.flatMap { [Markup("dt", [:], $0.name), Markup("dd", [:], $0.value)] })
  }

  /// Returns a list of key figures.
  package static func keyFigures(_ figures: [KeyFigure]) -> Markup {
    let parts = figures.map { figure in
      let value = [Markup("strong", [:], figure.value), Markup("span", [:], figure.unit)]
      return Markup("div", [:], [Markup("dt", [:], figure.name), Markup("dd", [:], value)])
    }
    return Markup("dl", ["class": "key"], parts)
  }

  /// Returns the result in a word or two, marked as good or bad, with an explanation beside it.
  package static func verdict(_ words: String, isGood: Bool, _ aside: String) -> Markup {
    Markup(
      "p", ["class": isGood ? "verdict passed" : "verdict failed"],
      [Markup("strong", [:], (isGood ? "✓ " : "✕ ") + words), Markup("span", [:], aside)])
  }

  /// Returns a list of sentences.
  package static func notes(_ notes: [String]) -> Markup {
    Markup("ul", ["class": "notes"], notes.map { Markup("li", [:], $0) })
  }

  /// Returns a column head; `kind` is its class.
  package static func columnHead(_ text: String, _ kind: String = "") -> Markup {
    Markup("th", kind.isEmpty ? ["scope": "col"] : ["scope": "col", "class": kind], text)
  }

  /// Returns a table that scrolls sideways on a narrow page, and can be scrolled with the keyboard.
  package static func scrolling(_ name: String, _ table: Markup) -> Markup {
    Markup("div", ["class": "scrolling", "tabindex": "0", "role": "region", "aria-label": "Table: \(name)"], [table])
  }
}
