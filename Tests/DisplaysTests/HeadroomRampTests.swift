import Displays
import Foundation
import Testing

@Suite struct HeadroomRampTests {
  /// Frames at 25 a second while the display's headroom goes from 16 to 1 and back.
  @Test func fallsAtOnceAndRisesGently() {
    var ramp = HeadroomRamp(headroom: 16, duration: 1)
    let current = (0..<25).map { _ in 16.0 } + (0..<25).map { _ in 1.0 } + (0..<50).map { _ in 8.0 }
    let rendered = current.enumerated().map { ramp.headroom(at: Double($0.offset) / 25, current: $0.element) }
    for (rendered, current) in zip(rendered, current) { #expect(rendered <= current && rendered >= 1) }
    #expect(rendered[24] == 16 && rendered[25] == 1)
    for (earlier, later) in zip(rendered[50...], rendered[51...]) {
      #expect(later >= earlier)
      // No step of more than a quarter of a stop.
      #expect(log2(later / earlier) < 0.25)
    }
    #expect(rendered[74] < 8 && abs(rendered[75] - 8) < 1e-9)
  }

  @Test func dependsOnTimesOnly() {
    func headrooms(_ rate: Double) -> [Double] {
      var ramp = HeadroomRamp(headroom: 2)
      return (0...Int(rate)).map { ramp.headroom(at: Double($0) / rate, current: 10) }
    }
    let often = headrooms(50)
    for (rare, often) in zip(headrooms(25), stride(from: 0, through: 50, by: 2).map { often[$0] }) {
      #expect(abs(rare - often) < 1e-9)
    }
  }

  /// A backlight that slides for three seconds is followed within another.
  @Test(arguments: [24.0, 60]) func fades(_ rate: Double) {
    var ramp = HeadroomRamp(headroom: 1, duration: 1)
    var last = 1.0
    for frame in 0...Int(4 * rate) {
      let time = Double(frame) / rate
      let current = exp2(min(time / 3, 1) * 3)
      let headroom = ramp.headroom(at: time, current: current)
      #expect(headroom <= current && headroom >= last * (1 - 1e-9))
      // Never more than a stop behind.
      #expect(headroom > current / 2, "\(time) s")
      last = headroom
    }
    #expect(abs(last - 8) < 1e-9)
  }

  @Test func changesWithinARise() {
    var ramp = HeadroomRamp(headroom: 1, duration: 1)
    _ = ramp.headroom(at: 0, current: 16)
    let half = ramp.headroom(at: 0.5, current: 16)
    #expect(abs(half - 4) < 1e-9)
    // To something lower that is still above, and to something below.
    #expect(ramp.headroom(at: 0.5, current: 8) <= 4.0001)
    #expect(ramp.headroom(at: 0.6, current: 2) == 2)
    #expect(ramp.headroom(at: 9, current: 2) == 2)
  }

  @Test func extremes() {
    var still = HeadroomRamp(headroom: 4, duration: 0)
    #expect(still.headroom(at: -1, current: 12) == 12)
    #expect(still.headroom(at: .nan, current: .infinity) >= 1)
    #expect(still.headroom(at: 3, current: 0) == 1)
  }
}
