import Frames
import Preview
import Testing

extension WindowScreenTests {
  @Test func heldKeysRepeatStepsAndNoToggles() throws {
    let window = try OpenWindow(preferred: Size(width: 320, height: 180))
    defer { window.screen.close() }
    for key in PreviewKey.all {
      window.inputs.removeAll()
      for press in key.presses { window.screen.send(press, isRepeat: true) }
      _ = window.screen.presentedPixels()
      let repeats =
        "\(key.command)".hasPrefix("raise") || "\(key.command)".hasPrefix("lower")
        || key.command == .step
      #expect(window.inputs.commands.count == (repeats ? key.presses.count : 0), "\(key.command)")
    }
  }

  @Test func aFailureSaysWhatToDo() {
    let failures: [ScreenError] = [
      .noDisplay, .cannotOpen(reason: "x"), .noAnswer(seconds: 20), .isInUse,
      .cannotPresent(reason: "x"),
      .connectionLost, .noResources(reason: "x"),
    ]
    #expect(Set(failures.map(\.description)).count == failures.count)
    #expect(failures.allSatisfy { $0.description.hasSuffix(".") })
  }
}
