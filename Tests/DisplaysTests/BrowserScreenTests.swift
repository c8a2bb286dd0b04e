import ColorScience
import Testing

import Displays

/// Displays of other devices, by what their browsers say.
@Suite struct BrowserScreenTests {
  @Test func sdrScreensHaveNoHeadroom() {
    let status = DisplayStatus(DisplayModel(BrowserScreen(isHDR: false, gamut: .p3)))
    #expect(status.potentialHeadroom == 1 && status.referenceMode == .notSupported)
    #expect(status.model.primaries == .bt709 && !status.model.isPeakAssumed)
  }

  @Test func hdrScreensAreOfTheThousandClass() {
    var model = DisplayModel(BrowserScreen(isHDR: true, gamut: .p3, bitDepth: 10))
    #expect(model.peak == 1000 && model.sdrWhite == 203 && model.isPeakAssumed && model.bitDepth == 10)
    #expect(model.primaries == .displayP3)
    #expect(DisplayStatus(model).referenceMode == .notEnabled)
    model.isReferenceModeEnabled = true
    #expect(DisplayStatus(model).referenceMode == .enabled)
  }

  /// A gamut of BT.709 in a PQ stream would be that of no HDR screen.
  @Test(arguments: [BrowserScreen.Gamut?.none, .srgb, .rec2020])
  func gamutsThatSayLittleAreNotBelieved(_ gamut: BrowserScreen.Gamut?) {
    #expect(DisplayModel(BrowserScreen(isHDR: true, gamut: gamut)).primaries == .bt2020)
  }
}
