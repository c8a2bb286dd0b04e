internal import Sessions

extension Message {
  /// A file was expected, but the name denotes a stream.
  static func fileNeeded(_ parameter: Parameter) -> Message {
    Message("file-needed", "\(parameter) takes the name of a file.")
  }

  /// The pictures with and without the flash come from different cameras.
  static func differentCameras(_ ambient: String, _ flash: String) -> Message {
    Message(
      "different-cameras",
      "The pictures are of different cameras, '\(ambient)' and '\(flash)': take both with one.")
  }

  /// A picture is display-referred: the camera has already rendered it.
  static func displayReferred(_ name: String) -> Message {
    Message(
      "display-referred",
      "'\(name)' is rendered for displays, by a curve that is not known exactly: colours are approximate. Camera raw "
        + "is linear.")
  }

  /// The pictures do not state their exposures.
  static var exposuresAssumedEqual: Message {
    Message(
      "exposures-assumed-equal",
      "Neither file states its exposure: equal exposures are assumed. If they differed, give \(.exposureRatio).")
  }
}
