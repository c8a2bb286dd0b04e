internal import Foundation

/// Python as an independent judge, with numpy and what comes with Python alone.
public enum Python {
  /// Standard output of a script.
  public static func run(_ script: String, _ arguments: [String]) throws -> String {
    String(decoding: try Tool.output(of: "python3", ["-c", script] + arguments), as: UTF8.self)
  }
}
