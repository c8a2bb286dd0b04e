internal import Files
internal import Foundation

/// A kernel-controlled backlight: a folder in `/sys/class/backlight`.
///
/// Source: Linux, Documentation/ABI/stable/sysfs-class-backlight.
public struct Backlight: Sendable, Hashable {
  /// The scale of brightness values.
  public enum Scale: String, Sendable, Hashable {
    /// Proportional to luminance.
    case linear
    /// Proportional to perceived lightness.
    case perceptual = "non-linear"
    /// Not stated by the driver; treated as linear, which most are.
    case unknown
  }

  /// The kernel's name.
  public let name: String
  private let folder: String

  init(name: String, folder: String) { (self.name, self.folder) = (name, folder) }

  /// The scale of its values.
  public var scale: Scale { Sysfs.text("\(folder)/scale").flatMap(Scale.init) ?? .unknown }

  /// Luminance relative to full brightness, 0...1; nil if it cannot be read.
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

  /// Returns the backlights of a system.
  static func all(_ root: String) -> [Backlight] {
    let folder = root + "/class/backlight"
    return (FileLocation.names(in: folder) ?? []).sorted().map { Backlight(name: $0, folder: "\(folder)/\($0)") }
  }

  /// The connector of its panel, such as "card0-eDP-1"; nil if not stated by the kernel.
  var connector: String? {
    guard let path = Sysfs.target("\(folder)/device") else { return nil }
    let last = path.split(separator: "/").last.map(String.init)
    return last.flatMap { $0.hasPrefix("card") && $0.contains("-") ? $0 : nil }
  }
}
