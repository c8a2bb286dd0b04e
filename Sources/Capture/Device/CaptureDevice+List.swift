internal import Files

extension CaptureDevice {
  /// Where the kernel has its devices.
  public static let defaultFolder = "/dev"

  /// The video devices of a folder, in the order of their numbers; one may capture nothing, or be in use.
  public static func paths(in folder: String = defaultFolder) -> [String] {
    let numbers = (FileLocation.names(in: folder) ?? []).compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }
    return numbers.sorted().map { "\(folder)/video\($0)" }
  }
}
