internal import Foundation

/// Tests that take minutes: `tools/test --long` runs them, and so does CI.
public enum LongTests {
  /// For `.enabled(if:)`.
  public static let areWanted = ProcessInfo.processInfo.environment["HEADROOM_LONG_TESTS"] != nil

  /// All of a list in the long run; in the short one a single element, the next for each `turn`.
  public static func share<Element>(of all: [Element], turn: Int) -> [Element] {
    areWanted ? all : [all[turn % all.count]]
  }
}
