internal import Foundation

/// Tests that take minutes: `tools/test --long` runs them, and so does CI.
public enum LongTests {
  /// For `.enabled(if:)`.
  public static let areWanted = ProcessInfo.processInfo.environment["HEADROOM_LONG_TESTS"] != nil
}
