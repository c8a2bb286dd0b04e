/// A look-up table of the tone mapping.
public struct LUTRequest: Sendable, Hashable, Codable {
  /// Whether the table is 1D or 3D.
  public enum Dimensions: Int, Sendable, Hashable, Codable, CaseIterable {
    /// 1D: one curve for every component.
    case one = 1
    /// 3D: a cube.
    case three = 3
  }

  /// A 1D LUT before the 3D LUT, which places all cells but one below the peak of PQ content.
  public enum Shaper: String, Sendable, Hashable, Codable, CaseIterable {
    /// None: nodes at equal steps of the signal.
    case none
    /// In the same file.
    case combined
    /// In a separate file.
    case split
  }

  /// The input that determines the signal; nil: the overrides do, with PQ in BT.2020 as the default.
  public var input: InputRequest?
  /// The signal without an input.
  public var overrides = SourceOverrides()
  /// Treats assumptions as errors.
  public var isStrict = false
  /// Light mapping of the table.
  public var mapping = MappingRequest()
  /// 1D or 3D.
  public var dimensions = Dimensions.three
  /// nil: 33 nodes per axis of a 3D LUT, 1024 values of a 1D LUT.
  public var size: Int?
  /// The 1D LUT before the 3D one.
  public var shaper = Shaper.none

  /// A 3D LUT of 33 nodes per axis, from PQ to SDR.
  public init() {}

  /// Number of nodes per axis.
  public var nodes: Int { size ?? (dimensions == .three ? 33 : 1024) }

  /// Returns the valid sizes for these dimensions.
  public static func sizes(_ dimensions: Dimensions) -> ClosedRange<Int> { dimensions == .three ? 2...129 : 2...65_536 }

  /// Checks the values and their combinations.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input?.validate()
    try overrides.validate()
    try mapping.validate()
    let sizes = Self.sizes(dimensions)
    guard sizes.contains(nodes) else {
      throw .invalid(
        "table-size-out-of-range",
        "\(.nodes) takes \(sizes.lowerBound) to \(sizes.upperBound) with \(.dimensions, dimensions.rawValue), not "
          + "\(nodes).")
    }
    if dimensions == .one, shaper != .none {
      throw .invalid(
        "shaper-of-1d-table", "\(.shaper) is a 1D LUT ahead of a 3D one: drop it, or \(.dimensions, 1).")
    }
    if shaper != .none, nodes < 3 {
      throw .invalid("table-too-small-for-shaper", "\(.shaper) needs \(.nodes) of at least 3, not \(nodes).")
    }
  }
}
