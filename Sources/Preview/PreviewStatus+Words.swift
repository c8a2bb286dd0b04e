extension PreviewStatus {
  /// The status in one line.
  public var text: String { ([source, curve, fault ?? ""].filter { !$0.isEmpty }).joined(separator: "  ") }
}
