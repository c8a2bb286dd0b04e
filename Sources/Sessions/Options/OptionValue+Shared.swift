package import Frames

extension OptionValue {
  /// A frame rate with ffmpeg's syntax: "25", "30000/1001", or a decimal, where 23.976, 29.97 and 59.94 mean N/1001.
  package static var frameRate: OptionValue<Rational> {
    OptionValue<Rational>(
      "rate", expected: "N, N/M or a decimal, up to 1000", parse: { rate($0) },
      text: { $0.denominator == 1 ? "\($0.numerator)" : "\($0.numerator)/\($0.denominator)" },
      check: { parameter, rate throws(Refusal) in try rate.checkFrameRate(parameter) })
  }

  private static func rate(_ text: String) -> Rational? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 2:
      guard let numerator = Int(parts[0]), let denominator = Int(parts[1]), denominator > 0 else { return nil }
      return Rational(numerator, denominator)
    case 1:
      guard let number = Double(text), number.isFinite, number > 0, number <= 1000 else { return nil }
      return rational(number)
    default: return nil
    }
  }

  private static func rational(_ number: Double) -> Rational {
    for whole in [24, 30, 60, 120] where abs(number - Double(whole) * 1000 / 1001) < 0.005 && number != Double(whole) {
      return Rational(whole * 1000, 1001)
    }
    let thousandths = Int((number * 1000).rounded())
    return thousandths % 1000 == 0 ? Rational(thousandths / 1000, 1) : Rational(thousandths, 1000)
  }
}

extension OptionValue where Value == [CodingRequest.Option] {
  /// Options in ffmpeg's syntax: "k=v:k=v", where a backslash or single quotes escape characters. An option without a
  /// value is switched on.
  package static var options: OptionValue {
    OptionValue("k=v:k=v", expected: "k=v:k=v", parse: { options($0) }, text: { text($0) })
  }

  private static func text(_ options: [CodingRequest.Option]) -> String {
    func escaped(_ text: String, _ special: String) -> String {
      text.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
    }
    return options.map { escaped($0.name, ":='\\") + "=" + escaped($0.value, ":'\\") }.joined(separator: ":")
  }

  private static func options(_ text: String) -> [CodingRequest.Option]? {
    var options: [CodingRequest.Option] = []
    for part in parts(of: text) where part.name != "" || part.value != nil {
      if part.name.isEmpty { return nil }
      options.append(CodingRequest.Option(part.name, part.value ?? "1"))
    }
    // An empty list is valid, too.
    return options.isEmpty && !text.isEmpty ? nil : options
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
      // Further equals signs belong to the value.
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
