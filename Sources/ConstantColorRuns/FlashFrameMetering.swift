package import ConstantColor
internal import Sessions

/// Decides whether a device takes another pair, because other settings would show the region of interest better.
///
/// A lamp that is switched by hand gives one pair: nobody is asked to switch it again.
package struct FlashFrameMetering: Sendable {
  /// What came of it.
  package struct Result: Sendable, Hashable {
    /// What the pair was taken with.
    package var setting: FlashFrameSetting
    /// How the region of interest is exposed.
    package var finding: Metering.Finding

    /// All that is known.
    package init(setting: FlashFrameSetting, finding: Metering.Finding) {
      (self.setting, self.finding) = (setting, finding)
    }
  }

  /// Pairs that are taken at most.
  package static let mostRounds = 3
  /// Smaller changes are not worth another pair.
  static let leastChange = 1.1

  private var rounds = 0
  /// What the best pair so far was taken with; nil: there is none.
  package private(set) var result: Result?

  /// Nothing has been taken yet.
  package init() {}

  /// Takes the light of a pair.
  /// - Returns: Whether it is the best so far: one that fits is not given up for one that does not.
  package mutating func add(_ reading: MeteringReading, _ setting: FlashFrameSetting) -> Bool {
    let finding = Metering(reading, limits: Metering.Limits()).finding
    if let result, Self.rank(result.finding) < Self.rank(finding) { return false }
    result = Result(setting: setting, finding: finding)
    return true
  }

  /// A round is over: begins another if that would help.
  /// - Parameter reading: The light of this round's pair, or of frames that were too bright to be one; nil: unknown.
  /// - Returns: Whether another pair is to come.
  /// - Throws: The error of the device.
  package mutating func continues(after reading: MeteringReading?, _ light: some FlashFrameLight) throws -> Bool {
    rounds += 1
    guard let reading, light.isDriven, rounds < Self.mostRounds else { return false }
    let limits = Metering.Limits(exposure: light.exposureFactors, flash: light.flashFactors)
    let wanted = Metering(reading, limits: limits)
    guard [wanted.exposure, wanted.flash].contains(where: Self.isWorthIt) else { return false }
    return try light.begin(exposure: wanted.exposure, intensity: wanted.flash)
  }

  private static func isWorthIt(_ factor: Double) -> Bool { max(factor, 1 / factor) > leastChange }

  /// Of two pairs the one with the lower number is better.
  private static func rank(_ finding: Metering.Finding) -> Int {
    switch finding {
    case .fits: 0
    case .flashIsWeak: 1
    case .drowns: 2
    case .clips, .metersAgain: 3
    }
  }
}
