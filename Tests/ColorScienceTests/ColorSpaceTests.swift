import ColorScience
import Testing

/// Primaries, luma matrices, ICtCp and colour differences.
struct ColorSpaceTests {
  struct Conversions: Decodable {
    struct Entry: Decodable {
      let from: String
      let to: String
      let elements: [Double]
    }
    let conversions: [Entry]
  }

  struct YCbCrFile: Decodable {
    struct Color: Decodable {
      let matrix: String
      let bits: Int
      let rgb: SIMD3<Double>
      let ycbcr: SIMD3<Double>
      let codes: [Int]
    }
    let colors: [Color]
  }

  struct ICtCpFile: Decodable {
    struct Color: Decodable {
      let rgb: SIMD3<Double>
      let ictcp: SIMD3<Double>
    }
    let pq: [Color]
    let hlg: [Color]
  }

  struct Pairs: Decodable {
    struct Pair: Decodable {
      let first: SIMD3<Double>
      let second: SIMD3<Double>
      let deltaE: Double
    }
    let pairs: [Pair]
  }

  static let spaces: [String: RGBSpace] = [
    "bt709": .bt709, "bt2020": .bt2020, "displayP3": .displayP3, "dciP3": .dciP3, "bt470BG": .bt470BG,
    "smpte170M": .smpte170M, "film": .film, "ebu3213": .ebu3213,
  ]

  /// Ten digits, computed from the chromaticities.
  static let published: [(RGBSpace, RGBSpace, [Double])] = [
    (
      .bt709, .bt2020,
      [
        0.6274038959, 0.3292830384, 0.0433130657, 0.0690972894, 0.9195403951, 0.0113623156, 0.0163914389, 0.0880133079,
        0.8955952532,
      ]
    ),
    (
      .bt2020, .bt709,
      [
        1.6604910021, -0.5876411388, -0.0728498633, -0.1245504745, 1.1328998971, -0.0083494226, -0.0181507634,
        -0.1005788980, 1.1187296614,
      ]
    ),
    (
      .bt2020, .displayP3,
      [
        1.3435782526, -0.2821796705, -0.0613985821, -0.0652974528, 1.0757879158, -0.0104904631, 0.0028217873,
        -0.0195984945, 1.0167767073,
      ]
    ),
  ]

  @Test func `Published matrices and luminance`() {
    for (source, target, elements) in Self.published {
      let matrix = RGBSpace.conversion(from: source, to: target)
      for (index, element) in elements.enumerated() { #expect(abs(matrix[index / 3, index % 3] - element) < 6e-11) }
    }
    #expect(close(RGBSpace.bt2020.luminance, SIMD3(0.2627002, 0.6779981, 0.0593017), 6e-8))
    #expect(close(RGBSpace.displayP3.luminance, SIMD3(0.2289746, 0.6917385, 0.0792869), 6e-8))
    #expect(close(RGBSpace.bt709.luminance, SIMD3(0.2126390, 0.7151687, 0.0721923), 6e-8))
  }

  @Test func `Conversions equal colour-science, adapted where the whites differ`() throws {
    for entry in try vectors("matrices", Conversions.self).conversions {
      let matrix = RGBSpace.conversion(from: Self.spaces[entry.from]!, to: Self.spaces[entry.to]!)
      for (index, element) in entry.elements.enumerated() {
        #expect(close(matrix[index / 3, index % 3], element, 1e-9), "\(entry.from) to \(entry.to), \(index)")
      }
    }
  }

  @Test(arguments: ColorPrimaries.allCases.compactMap(\.space))
  func `White stays white and back is the inverse`(space: RGBSpace) {
    let there = RGBSpace.conversion(from: space, to: .bt2020)
    let back = RGBSpace.conversion(from: .bt2020, to: space)
    #expect(close(there * SIMD3(1, 1, 1), SIMD3(1, 1, 1), 1e-12))
    #expect(close(back * (there * SIMD3(0.2, 0.5, 0.9)), SIMD3(0.2, 0.5, 0.9), 1e-12))
    #expect(close(space.luminance.sum(), 1, 1e-12))
    #expect(close((there * there.inverse).row1, SIMD3(0, 1, 0), 1e-12))
  }

  @Test func `Y'CbCr and ten-bit codes equal colour-science`() throws {
    let matrices: [String: YCbCrMatrix] = ["bt601": .bt601, "bt709": .bt709, "bt2020": .bt2020]
    for color in try vectors("ycbcr", YCbCrFile.self).colors {
      let matrix = matrices[color.matrix]!
      let ycbcr = matrix.ycbcr(fromRGB: color.rgb)
      #expect(close(ycbcr, color.ycbcr, 1e-12))
      #expect(close(matrix.rgb(fromYCbCr: ycbcr), color.rgb, 1e-12))
      let scale = SampleScale(bitDepth: color.bits, range: .narrow)
      let codes = [scale.code(fromLuma: ycbcr.x), scale.code(fromChroma: ycbcr.y), scale.code(fromChroma: ycbcr.z)]
      #expect(codes == color.codes, "\(color)")
    }
    #expect(MatrixCoefficients.allCases.compactMap { YCbCrMatrix($0) }.count == 6)
  }

  @Test func `ICtCp equals colour-science and returns`() throws {
    let file = try vectors("ictcp", ICtCpFile.self)
    for color in file.pq {
      #expect(close(ICtCp.fromNits(color.rgb), color.ictcp, 1e-10))
      #expect(close(ICtCp.toNits(color.ictcp), color.rgb, 1e-7))
    }
    for color in file.hlg {
      #expect(close(ICtCp.fromHLGScene(color.rgb), color.ictcp, 1e-7))
      #expect(close(ICtCp.toHLGScene(ICtCp.fromHLGScene(color.rgb)), color.rgb, 1e-9))
    }
  }

  @Test func `Colour difference of BT.2124`() throws {
    let first = SIMD3(0.4885468072, -0.04739350675, 0.07475401302)
    let second = SIMD3(0.4899203231, -0.04567508203, 0.07361341775)
    #expect(abs(ICtCp.deltaEITP(first, second) - 1.42657228) < 1e-7)
    for pair in try vectors("delta-e", Pairs.self).pairs {
      #expect(close(ICtCp.deltaEITP(pair.first, pair.second), pair.deltaE, 1e-12))
    }
    func grey(_ nits: Double) -> SIMD3<Double> { ICtCp.fromNits(SIMD3(repeating: nits)) }
    #expect(abs(ICtCp.deltaEITP(grey(203), grey(204)) - 0.370) < 6e-4)
    #expect(abs(ICtCp.deltaEITP(grey(100), grey(101)) - 0.719) < 6e-4)
  }
}
