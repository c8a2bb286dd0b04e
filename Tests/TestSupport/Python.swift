internal import Foundation

/// The Python of the system as an independent reference, with numpy and the standard library only.
public enum Python {
  /// Standard output of a script.
  public static func run(_ script: String, _ arguments: [String]) throws -> String {
    String(decoding: try Tool.output(of: "/usr/bin/python3", ["-c", script] + arguments), as: UTF8.self)
  }
}
