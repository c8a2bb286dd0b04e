/// Metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The lines so far.
  private(set) var text = ""

  /// Adds a metric.
  mutating func add(_ name: String, _ type: Kind, _ help: String, _ value: some CustomStringConvertible) {
    add(name, type, help, [("", value)])
  }

  /// Adds a metric with a value per label, such as `class="2xx"`.
  mutating func add(
    _ name: String, _ type: Kind, _ help: String, _ values: [(labels: String, value: any CustomStringConvertible)]
  ) {
    text += "# HELP headroom_\(name) \(help)\n# TYPE headroom_\(name) \(type)\n"
    for (labels, value) in values {
      text += "headroom_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }
  }

  /// The type of a metric.
  enum Kind: String, CustomStringConvertible {
    case counter, gauge

    var description: String { rawValue }
  }
}
