import Preview
import Testing

@Suite struct WindowStatusWordsTests {
  @Test func everythingThatIsKnownIsSaid() {
    var status = PreviewStatus()
    status.source = "P010 1920x1080 59.94 fps, BT.2020 PQ limited"
    status.curve = "system"
    status.headroom = 2.5
    status.sdrWhite = 203
    status.exposure = -0.25
    status.nits = 48.25
    status.rate = 59.94
    status.dropped = 3
    status.lost = 1
    status.recordingDropped = 2
    status.latency = (0.021, 0.0383)
    status.renderScale = 0.5
    status.isPaused = true
    status.isRecording = true
    status.referenceMode = "reference mode: limited"
    status.fault = "no signal"
    #expect(
      status.text
        == "no signal · paused · recording · reference mode: limited · P010 1920x1080 59.94 fps, BT.2020 PQ limited"
        + " · system · headroom 2.50× · SDR white 203 cd/m² · exposure −0.25 stops · max RGB 48.3 cd/m² · 59.9 fps"
        + " · 3 dropped · 1 lost · 2 not recorded · latency 21 ms (99 %: 38 ms) · rendered at 50 %")
  }

  @Test func whatIsAsUsualIsLeftOut() {
    #expect(PreviewStatus().text == "headroom 1.00× · SDR white 100 cd/m² · 0.0 fps · 0 dropped")
    var status = PreviewStatus()
    status.isEDROn = false
    #expect(status.text == "EDR off · SDR white 100 cd/m² · 0.0 fps · 0 dropped")
  }

  @Test(arguments: [
    (0, "0"), (0.0049, "0.005"), (0.1, "0.1"), (1.256, "1.26"), (10, "10"), (99.96, "100"),
    (9999.6, "10000"),
  ])
  func luminanceHasThreeDigits(nits: Double, words: String) {
    var status = PreviewStatus()
    status.nits = nits
    #expect(status.parts.contains("max RGB \(words) cd/m²"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func whatIsNoNumberIsADash(value: Double) {
    var status = PreviewStatus()
    status.rate = value
    status.headroom = value
    status.latency = (value, value)
    #expect(
      status.text
        == "headroom -× · SDR white 100 cd/m² · - fps · 0 dropped · latency - ms (99 %: - ms)")
  }
}
