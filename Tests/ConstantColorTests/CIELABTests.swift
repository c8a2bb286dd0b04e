import ConstantColor
import Testing

@Suite struct CIELABTests {
  /// Pairs of Sharma, Wu and Dalal (2005), table 1.
  @Test(arguments: [
    (SIMD3(50.0, 2.6772, -79.7751), SIMD3(50.0, 0, -82.7485), 2.0425),
    (SIMD3(50.0, -1.3802, -84.2814), SIMD3(50.0, 0, -82.7485), 1.0000),
    (SIMD3(50.0, 2.49, -0.001), SIMD3(50.0, -2.49, 0.0011), 7.2195),
    (SIMD3(50.0, 2.5, 0), SIMD3(73.0, 25, -18), 27.1492),
    (SIMD3(22.7233, 20.0904, -46.6940), SIMD3(23.0331, 14.9730, -42.5619), 2.0373),
    (SIMD3(90.8027, -2.0831, 1.4410), SIMD3(91.1528, -1.6435, 0.0447), 1.4441),
    (SIMD3(2.0776, 0.0795, -1.1350), SIMD3(0.9033, -0.0636, -0.5514), 0.9082),
  ])
  func differences(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ expected: Double) {
    #expect(abs(CIELAB.deltaE2000(first, second) - expected) < 5e-5)
    #expect(abs(CIELAB.deltaE2000(second, first) - expected) < 5e-5)
  }
}
