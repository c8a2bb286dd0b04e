internal import Sessions

extension Message {
  /// A file was expected, but the name is that of a stream.
  static func fileNeeded(_ parameter: Parameter) -> Message {
    Message("file-needed", "\(parameter) takes the name of a file.")
  }

  /// The pictures are of different cameras, without the flash and with it.
  static func differentCameras(_ ambient: String, _ flash: String) -> Message {
    Message(
      "different-cameras",
      "The pictures are of different cameras, '\(ambient)' and '\(flash)': take both with one.")
  }

  /// The light of a picture is that of a display, after the camera's own rendering.
  static func displayReferred(_ name: String) -> Message {
    Message(
      "display-referred",
      "'\(name)' is rendered for displays, by a curve that is not known exactly: colours are approximate. Camera raw "
        + "is linear.")
  }

  /// Nothing states the exposures of the pictures.
  static var exposuresAssumedEqual: Message {
    Message(
      "exposures-assumed-equal",
      "Neither file states its exposure: equal exposures are assumed. If they differed, give \(.exposureRatio).")
  }
}
