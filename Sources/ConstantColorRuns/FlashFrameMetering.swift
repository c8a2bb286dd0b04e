package import Capture
package import ConstantColor
package import Frames
internal import Sessions

/// Decides whether a device takes another pair because other settings would expose the region of interest better.
///
/// A lamp switched by hand gives only one pair: the user does not have to switch it again.
package struct FlashFrameMetering: Sendable {
  package struct Result: Sendable, Hashable {
    /// The settings of the pair.
    package var setting: FlashFrameSetting
    /// The exposure of the region of interest.
    package var finding: Metering.Finding

    package init(setting: FlashFrameSetting, finding: Metering.Finding) {
      (self.setting, self.finding) = (setting, finding)
    }
  }

  /// Maximum number of pairs.
  package static let maximumRounds = 3
  /// Minimum change that is worth another pair.
  static let minimumChange = 1.1

  private var rounds = 0
  /// The settings of the best pair so far; nil: none.
  package private(set) var result: Result?

  /// Metering before the first pair.
  package init() {}

  /// Adds the light of a pair.
  /// - Returns: Whether it is the best so far: a well-exposed pair is not replaced by one that is not.
  package mutating func add(_ reading: MeteringReading, _ setting: FlashFrameSetting) -> Bool {
    let finding = Metering(reading, limits: Metering.Limits()).finding
    if let result, Self.rank(result.finding) < Self.rank(finding) { return false }
    result = Result(setting: setting, finding: finding)
    return true
  }

  /// Ends a round, and starts another if that would help.
  /// - Parameter reading: Light of this round's pair, or of frames too bright to form one; nil: unknown.
  /// - Returns: Whether another round follows.
  /// - Throws: The error of the device.
  package mutating func continues(after reading: MeteringReading?, _ light: some FlashFrameLight) throws -> Bool {
    rounds += 1
    guard let reading, light.isDriven, rounds < Self.maximumRounds else { return false }
    let limits = Metering.Limits(exposure: light.exposureFactors, flash: light.flashFactors)
    let wanted = Metering(reading, limits: limits)
    guard [wanted.exposure, wanted.flash].contains(where: Self.isWorthIt) else { return false }
    return try light.begin(exposure: wanted.exposure, intensity: wanted.flash)
  }

  private static func isWorthIt(_ factor: Double) -> Bool { max(factor, 1 / factor) > minimumChange }

  /// Rank of a finding: of two pairs, the lower rank is better.
  private static func rank(_ finding: Metering.Finding) -> Int {
    switch finding {
    case .fits: 0
    case .flashIsWeak: 1
    case .drowns: 2
    case .clips, .metersAgain: 3
    }
  }
}

/// Light and exposure of a device while its frames are read.
package protocol FlashFrameLight: Sendable {
  /// The device drives its flash; no lamp is switched by hand.
  var isDriven: Bool { get }
  /// Current exposure, if known.
  var exposure: Exposure? { get }
  /// Current flash intensity relative to the maximum, from 0 to 1; nil: cannot be set.
  var intensity: Double? { get }
  /// Settable range of the exposure time, relative to the current one; nil: none.
  var exposureFactors: ClosedRange<Double>? { get }
  /// Settable range of the flash intensity, relative to the current one; nil: none.
  var flashFactors: ClosedRange<Double>? { get }

  /// Receives a frame, and switches the flash when due.
  /// - Parameter number: Number of the frame since the settings were made, from 0.
  /// - Throws: The error of the device.
  func advance(to number: Int) throws

  /// Starts another pair with other settings, if the device accepts any of them.
  /// - Parameters:
  ///   - exposure: Factor of the exposure time.
  ///   - intensity: Factor of the flash's intensity.
  /// - Returns: Whether a setting has changed.
  /// - Throws: The error of the device.
  func begin(exposure: Double, intensity: Double) throws -> Bool
}

extension FlashFrameLight {
  var setting: FlashFrameSetting { FlashFrameSetting(exposure: exposure, intensity: intensity) }
}

extension PairLighting: FlashFrameLight {
  /// The device has a flash that can be driven by software.
  package var isDriven: Bool { flash != nil }
}

/// Settings with which a device takes a pair of frames, as far as it reports them.
package struct FlashFrameSetting: Sendable, Hashable {
  /// The exposure of both frames; nil: unknown.
  package var exposure: Exposure?
  /// Flash intensity relative to the maximum, from 0 to 1; nil: fixed, or not driven by software.
  package var intensity: Double?

  package init(exposure: Exposure?, intensity: Double?) { (self.exposure, self.intensity) = (exposure, intensity) }
}
