internal import Foundation

extension String {
  /// The text with control characters, and those that change the direction of writing, as `\u{1B}`.
  ///
  /// Names of files are anyone's: they must not move a terminal's cursor, nor say something else than they are.
  var visible: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with its middle left out where it is longer.
  /// - Parameter length: Characters, at least 3.
  func shortened(to length: Int) -> String {
    guard count > length else { return self }
    let kept = max(length, 3) - 1
    return prefix((kept + 1) / 2) + "…" + suffix(kept / 2)
  }

  /// Lines of at most `width` characters; longer words are truncated.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(whereSeparator: \.isWhitespace) {
      var rest = Substring(word)
      if !line.isEmpty, line.count + 1 + rest.count > width {
        lines.append(line)
        line = ""
      }
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
      line += (line.isEmpty ? "" : " ") + rest
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Filled up with spaces on the right, or on the left.
  func padded(to width: Int, leading: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(width - count, 0))
    return leading ? spaces + self : self + spaces
  }
}
