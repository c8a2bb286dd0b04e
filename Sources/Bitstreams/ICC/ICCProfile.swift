internal import ColorScience
public import Media

/// The R'G'B' colour space of an ICC profile, in H.273 terms.
///
/// Source: ICC.1:2022 (profile version 4.4); version 2 differs only in its text type.
public struct ICCProfile: Sendable, Hashable {
  /// Primaries and transfer function; nil if H.273 does not define them.
  public let tags: ColorTags?
  /// The profile's description; nil if it has none.
  public let name: String?

  /// Reads a profile.
  /// - Parameter bytes: A whole profile from an untrusted source.
  /// - Returns: nil if the bytes are not an ICC profile.
  public init?(_ bytes: [UInt8]) {
    guard let elements = ICCElements(bytes) else { return nil }
    name = elements.text("desc")
    tags = Self.codes(elements) ?? Self.match(elements)
  }

  /// From code points. Source: ICC.1:2022, 9.2.17 and 10.3.
  private static func codes(_ elements: ICCElements) -> ColorTags? {
    guard let data = elements.data("cicp", type: "cicp"), data.count >= 4 else { return nil }
    let tags = ColorTags(primaryCode: Int(data[0]), transferCode: Int(data[1]), range: nil)
    return tags.primaries == nil || tags.transfer == nil ? nil : tags
  }

  /// From a matrix and curves that match a known space. Source: ICC.1:2022, 8.3.3 and annex F.3.
  private static func match(_ elements: ICCElements) -> ColorTags? {
    guard elements.colorSpace == "RGB ", elements.connectionSpace == "XYZ ",
      let red = elements.xyz("rXYZ"), let green = elements.xyz("gXYZ"), let blue = elements.xyz("bXYZ"),
      let primaries = primaries(Matrix3(red, green, blue).transposed)
    else { return nil }
    let transfers = ["rTRC", "gTRC", "bTRC"].map { elements.curve($0).flatMap(transfer) }
    guard let transfer = transfers[0], transfers.allSatisfy({ $0 == transfer }) else { return nil }
    return ColorTags(primaries: primaries, transfer: transfer)
  }

  /// The matrices of any two H.273 spaces differ by at least 0.019 in some element; profiles deviate by 0.0005 from
  /// their intent.
  private static let matrixTolerance = 0.004

  /// CIE XYZ as an RGB space, with the white of the profile connection space: X = 0.9642, Y = 1, Z = 0.8249.
  ///
  /// Source: ICC.1:2022, 7.2.16.
  private static let connection = RGBSpace(
    red: Chromaticity(x: 1, y: 0), green: Chromaticity(x: 0, y: 1), blue: Chromaticity(x: 0, y: 0),
    white: Chromaticity(x: 0.9642 / 2.7891, y: 1 / 2.7891))

  /// The primaries with this matrix, adapted to D50.
  private static func primaries(_ matrix: Matrix3) -> ColorPrimaries? {
    ColorPrimaries.allCases.first { primaries in
      guard let space = primaries.space else { return false }
      let known = connection.rgbToXYZ * RGBSpace.conversion(from: space, to: connection)
      return (0..<9).allSatisfy { abs(known[$0 / 3, $0 % 3] - matrix[$0 / 3, $0 % 3]) <= matrixTolerance }
    }
  }

  /// Signals at which curves are compared, and their tolerance: about half an 8-bit code value, in light raised to
  /// 1/2.2. Below the first signal, 16-bit tables are too coarse.
  private static let points = stride(from: 0.1, through: 1, by: 0.05)
  private static let curveTolerance = 0.003

  private static func transfer(_ curve: ICCCurve) -> TransferCharacteristics? {
    func root(_ light: Double) -> Double { ICCCurve.power(max(light, 0), 1 / 2.2) }
    return known.first { _, light in
      points.allSatisfy { abs(root(light($0)) - root(curve.light($0))) <= curveTolerance }
    }?.transfer
  }

  /// Signal to light, with 1 at 1.
  private static let known: [(transfer: TransferCharacteristics, light: @Sendable (Double) -> Double)] = [
    (.sRGB, { SRGB.eotf($0) }),
    (.gamma22, { ICCCurve.power($0, 2.2) }),
    (.bt709, { BT709Transfer.inverseOETF($0) }),
    (.linear, { $0 }),
    (.pq, { PQ.eotf($0) / PQ.peak }),
    (.hlg, { HLG.inverseOETF($0) }),
    (.gamma28, { ICCCurve.power($0, 2.8) }),
  ]
}
