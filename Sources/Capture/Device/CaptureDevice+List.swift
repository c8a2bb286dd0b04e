internal import Files

extension CaptureDevice {
  /// The kernel's device folder.
  public static let defaultFolder = "/dev"

  /// Returns the video devices in a folder, in the order of their numbers; some may not capture, or be busy.
  public static func paths(in folder: String = defaultFolder) -> [String] {
    let numbers = (FileLocation.names(in: folder) ?? []).compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }
    return numbers.sorted().map { "\(folder)/video\($0)" }
  }
}
