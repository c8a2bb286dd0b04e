internal import Files
internal import Foundation

/// A backlight that the kernel controls: a folder of `/sys/class/backlight`.
///
/// Source: Linux, Documentation/ABI/stable/sysfs-class-backlight.
public struct Backlight: Sendable, Hashable {
  /// How the numbers are spread.
  public enum Scale: String, Sendable, Hashable {
    /// In luminance.
    case linear
    /// In lightness, as the eye sees it.
    case perceptual = "non-linear"
    /// The driver does not say; they are taken as linear, which most are.
    case unknown
  }

  /// The kernel's name for it.
  public let name: String
  private let folder: String

  init(name: String, folder: String) { (self.name, self.folder) = (name, folder) }

  /// How its numbers are spread.
  public var scale: Scale { Sysfs.text("\(folder)/scale").flatMap(Scale.init) ?? .unknown }

  /// Luminance as a share of that at full brightness, 0...1; nil if it cannot be read.
  public var level: Double? {
    guard let most = Sysfs.number("\(folder)/max_brightness"), most > 0,
      let now = Sysfs.number("\(folder)/actual_brightness") ?? Sysfs.number("\(folder)/brightness"), now >= 0
    else { return nil }
    let share = min(Double(now) / Double(most), 1)
    return scale == .perceptual ? Self.luminance(ofLightness: share) : share
  }

  /// Source: ISO/CIE 11664-4, the inverse of CIE 1976 L*.
  private static func luminance(ofLightness share: Double) -> Double {
    let lightness = share * 100
    return lightness > 8 ? pow((lightness + 16) / 116, 3) : lightness * 27 / 24389
  }

  /// The backlights of a system.
  static func all(_ root: String) -> [Backlight] {
    let folder = root + "/class/backlight"
    return (FileLocation.names(in: folder) ?? []).sorted().map { Backlight(name: $0, folder: "\(folder)/\($0)") }
  }

  /// The connector that it lights, such as "card0-eDP-1"; nil if the kernel does not say.
  var connector: String? {
    guard let path = Sysfs.target("\(folder)/device") else { return nil }
    let last = path.split(separator: "/").last.map(String.init)
    return last.flatMap { $0.hasPrefix("card") && $0.contains("-") ? $0 : nil }
  }
}
