/// Messages about inputs that several checks share.
extension Message {
  /// - Parameter sentence: The reader's message.
  package static func inputNote(_ sentence: String) -> Message { Message("input-note", "\(sentence)") }

  package static func noFramesSelected(_ name: String) -> Message {
    Message(
      "no-frames-selected",
      "No frame of '\(name)' lies in the selected range: check \(.start), \(.at) and \(.frames).")
  }

  /// A frame rate was given, but the input has timestamps.
  static func inputHasTimestamps(_ name: String) -> Message {
    Message("input-has-timestamps", "\(.frameRate) is for pictures, but '\(name)' has timestamps: omit it.")
  }

  /// A parameter needs the input to be read twice, but it is a pipe or device.
  static func inputNotRepeatable(_ name: String, for parameter: Parameter) -> Message {
    let code: Code = "input-not-repeatable"
    if parameter == .burnSubtitles {
      return Message(
        code,
        "'\(name)' is a pipe or device and cannot be read first for its subtitles: write it to a file, or give "
          + "\(.burnSubtitles) a file of subtitles.")
    }
    var need: MessageText = "\(parameter)"
    var advice: MessageText = ""
    switch parameter {
    case .contentLight: need = "\(.contentLight, "measure")"
    case .crop:
      need = "\(.crop, "auto")"
      advice = ", or give \(.crop, "W:H:X:Y")"
    case .peakDetection: advice = ", or give \(.measured) the result of `headroom measure`"
    default: break
    }
    return Message(
      code,
      "'\(name)' is a pipe or device and cannot be read twice, which \(need) needs: write it to a file first\(advice).")
  }

  package static func inputDiffersFromPlan(_ name: String) -> Message {
    Message(
      "input-differs-from-plan",
      "'\(name)' is not the input that the plan was made for: its size, streams or metadata differ. Make a new plan.")
  }

  /// The timestamps of the file jump, as in joined recordings.
  package static func clockJumps(_ name: String, count: Int) -> Message {
    let times = count == 1 ? "once" : "\(count) times"
    return Message(
      "clock-jumps",
      "The clock of '\(name)' jumps \(times), as in recordings that were joined: it is read as one recording without "
        + "the gap.")
  }

  /// Implausible metadata of the input.
  static func metadataIgnored(_ reason: String) -> Message { Message("metadata-ignored", "Ignored: \(reason).") }

  package static func deviceHasNoStart(_ name: String) -> Message {
    Message(
      "device-has-no-start",
      "'\(name)' is a device, which begins when it is opened: omit \(.start) and \(.at).")
  }

  /// A device has sent no frame for some seconds: the reason, if known.
  package static func deviceDeliversNothing(_ name: String, reason: String?) -> Message {
    let words = reason.map { ": it has \($0)." } ?? ": see that something is connected to it, and switched on."
    return Message("device-delivers-nothing", "'\(name)' delivers no frames\(words)")
  }
}
