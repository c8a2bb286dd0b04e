internal import ArgumentParser
internal import Sessions

/// Options as ffmpeg writes them: "k=v:k=v", where a backslash or single quotes keep a character as it is. An option without
/// a value is switched on.
struct OptionList: ExpressibleByArgument {
  let options: [CodingRequest.Option]

  /// As it is parsed.
  static func text(_ options: [CodingRequest.Option]) -> String {
    func escaped(_ text: String, _ special: String) -> String {
      text.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
    }
    return options.map { escaped($0.name, ":='\\") + "=" + escaped($0.value, ":'\\") }.joined(separator: ":")
  }

  init?(argument: String) {
    var options: [CodingRequest.Option] = []
    for part in Self.parts(of: argument) where part.name != "" || part.value != nil {
      if part.name.isEmpty { return nil }
      options.append(CodingRequest.Option(part.name, part.value ?? "1"))
    }
    // None at all is a choice, too.
    if options.isEmpty, !argument.isEmpty { return nil }
    self.options = options
  }

  private static func parts(of text: String) -> [(name: String, value: String?)] {
    var parts: [(name: String, value: String?)] = [("", nil)]
    var (isEscaped, isQuoted) = (false, false)
    for character in text {
      var isPlain = isEscaped || isQuoted
      if !isEscaped, character == "'" {
        isQuoted.toggle()
        continue
      }
      if !isEscaped, !isQuoted, character == "\\" {
        isEscaped = true
        continue
      }
      isEscaped = false
      // Further signs belong to the value.
      if character == "=", parts[parts.count - 1].value != nil { isPlain = true }
      if !isPlain, character == ":" {
        parts.append(("", nil))
      } else if !isPlain, character == "=" {
        parts[parts.count - 1].value = ""
      } else if parts[parts.count - 1].value != nil {
        parts[parts.count - 1].value?.append(character)
      } else {
        parts[parts.count - 1].name.append(character)
      }
    }
    return parts
  }
}
