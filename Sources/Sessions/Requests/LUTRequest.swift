/// A look-up table of the tone mapper.
public struct LUTRequest: Sendable, Hashable, Codable {
  /// Whether greys or colours are looked up.
  public enum Dimensions: Int, Sendable, Hashable, Codable, CaseIterable {
    /// 1D: one curve for every component.
    case one = 1
    /// 3D: a cube of colours.
    case three = 3
  }

  /// A 1D LUT before the 3D one, which spends all cells but one below the peak of PQ content.
  public enum Shaper: String, Sendable, Hashable, Codable, CaseIterable {
    /// None: nodes are at equal steps of the signal.
    case none
    /// In the same file.
    case combined
    /// In a file of its own.
    case split
  }

  /// What says what the signal is; nil: the overrides, PQ in BT.2020 where they say nothing.
  public var input: InputRequest?
  /// What the signal is where there is no input.
  public var overrides = SourceOverrides()
  /// What would be assumed is an error.
  public var isStrict = false
  /// What the table does to light.
  public var mapping = MappingRequest()
  /// 1D or 3D; a 3D LUT is the usual one.
  public var dimensions = Dimensions.three
  /// nil: 33 on each axis of a 3D LUT, 1024 values of a 1D one.
  public var size: Int?
  /// The 1D LUT before the 3D one.
  public var shaper = Shaper.none

  /// A 3D LUT of 33 nodes an axis, from PQ to SDR.
  public init() {}

  /// Nodes on each axis.
  public var nodes: Int { size ?? (dimensions == .three ? 33 : 1024) }

  /// Sizes that a table of these dimensions can have.
  public static func sizes(_ dimensions: Dimensions) -> ClosedRange<Int> { dimensions == .three ? 2...129 : 2...65_536 }

  /// Checks the values, and which of them exclude each other.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input?.validate()
    try overrides.validate()
    try mapping.validate()
    let sizes = Self.sizes(dimensions)
    guard sizes.contains(nodes) else {
      throw .invalid(.table(.size(nodes, allowed: sizes, dimensions: dimensions)))
    }
    if dimensions == .one, shaper != .none { throw .invalid(.table(.shaperOfCurve)) }
    if shaper != .none, nodes < 3 { throw .invalid(.table(.tooSmallForShaper(nodes))) }
  }
}
