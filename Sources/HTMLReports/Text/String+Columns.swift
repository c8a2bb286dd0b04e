internal import Foundation

extension String {
  /// Returns the text, with its middle elided if it is too long.
  /// - Parameter length: Maximum number of characters, at least 3.
  package func shortened(to length: Int) -> String {
    guard count > length else { return self }
    let kept = max(length, 3) - 1
    return prefix((kept + 1) / 2) + "…" + suffix(kept / 2)
  }

  /// Returns lines of at most `width` characters; longer words are truncated.
  package func wrapped(to width: Int) -> [String] {
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

  /// Returns the text padded with spaces on the right, or on the left.
  package func padded(to width: Int, leading: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(width - count, 0))
    return leading ? spaces + self : self + spaces
  }
}
