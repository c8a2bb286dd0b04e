import ColorScience
import Displays
import Foundation
import Frames
import LivePreview
import Preview
import Testing
import ToneMapping

import Sessions

/// What keys change about a preview, and how rendering is made cheaper.
@Suite struct PreviewViewTests {
  private static func view(peak: Double = 100, most: Double = 10_000) -> PreviewView {
    PreviewView(Display(sdrWhite: 100, peak: peak, primaries: .bt709), curve: .system, maximumPeak: most)
  }

  private static func applying(_ commands: [PreviewCommand], to view: PreviewView = view()) -> PreviewView {
    commands.reduce(into: view) { _ = $0.apply($1) }
  }

  @Test func nothingIsChangedAtFirst() {
    var request = MappingRequest()
    (request.exposure, request.curve) = (0.5, .hdr10Plus)
    #expect(Self.view().mapping(request) == request)
    #expect(Self.view().filters(["scopes"]) == ["scopes"])
  }

  @Test func curvesGoRound() {
    let names = (0...ToneCurve.all.count).map { count in
      Self.applying(Array(repeating: .nextCurve, count: count)).curve?.name
    }
    #expect(names.dropFirst() == (ToneCurve.all.dropFirst() + [.system]).map(\.name)[...])
    #expect(Self.applying([.previousCurve]).curve == .clip)
    #expect(Self.applying([.nextCurve, .previousCurve]).mapping(MappingRequest()).curve == .named(.system))
  }

  @Test func headroomIsThatOfTheDisplay() {
    let raised = Self.applying([.raiseHeadroom, .raiseHeadroom, .raiseHeadroom, .raiseHeadroom])
    #expect(abs(raised.headroom - 2) < 1e-12)
    let mapping = raised.mapping(MappingRequest())
    #expect(abs((mapping.peak ?? 0) - 200) < 1e-9 && mapping.sdrWhite == 100)
    // Neither below 1 nor above what the display has.
    #expect(Self.applying([.lowerHeadroom]).headroom == 1)
    #expect(Self.applying(Array(repeating: .raiseHeadroom, count: 50), to: Self.view(most: 400)).headroom == 4)
  }

  @Test func aDarkerWhiteLeavesThePeak() {
    let lowered = Self.applying([.lowerSDRWhite])
    #expect(lowered.sdrWhite == 90.9 && lowered.peak == 100)
    #expect(abs(lowered.headroom - 1.1) < 1e-3)
    #expect(Self.applying([.lowerSDRWhite, .raiseSDRWhite, .raiseSDRWhite]).sdrWhite == 100)
  }

  @Test func withoutEDRLightEndsAtWhite() {
    let off = Self.applying([.raiseHeadroom, .toggleEDR])
    let mapping = off.mapping(MappingRequest())
    #expect(mapping.curve == .named(.clip) && mapping.peak == 100 && mapping.sdrWhite == 100)
    #expect(off.headroom == 1 && !off.isEDROn)
    #expect(Self.applying([.raiseHeadroom, .toggleEDR, .toggleEDR]) == Self.applying([.raiseHeadroom]))
  }

  @Test func exposureIsAddedToThatOfTheRequest() {
    var request = MappingRequest()
    request.exposure = 1
    #expect(Self.applying([.raiseExposure, .raiseExposure]).mapping(request).exposure == 1.5)
    #expect(Self.applying(Array(repeating: .raiseExposure, count: 100)).mapping(request).exposure == 10)
  }

  @Test func filtersAreAddedAndGo() {
    // Two filters that paint pixels do not go together.
    #expect(Self.applying([.toggleFalseColor, .toggleClipWarning]).filters([]) == ["clip-warning"])
    #expect(Self.applying([.toggleClipWarning, .toggleFalseColor]).filters([]) == ["false-color"])
    let all = Self.applying([.toggleHighlight, .toggleFalseColor, .nextScopes])
    #expect(all.filters(["scopes=place=right"]) == ["highlight", "false-color", "scopes=show=waveform"])
    #expect(all.filters(["clip-warning"]) == ["clip-warning", "highlight", "false-color", "scopes=show=waveform"])
    #expect(Self.applying([.toggleClipWarning]).filters([]) == ["clip-warning"])
    #expect(Self.applying(Array(repeating: .nextScopes, count: 6)).filters([]) == [])
    #expect(Self.applying([.toggleHighlight, .raiseHeadroom, .nextCurve, .resetView]) == Self.view())
  }

  @Test func settingsAreThoseOfTheWholePicture() {
    var request = MappingRequest()
    request.exposure = 1
    var view = Self.view()
    for setting in [PreviewView.Setting.exposure(0.5), .curve(.bt2390), .sdrWhite(200), .clipWarning(true)] {
      view.set(setting, over: request)
    }
    let mapping = view.mapping(request)
    #expect(mapping.exposure == 0.5 && mapping.curve == .named(.bt2390) && mapping.sdrWhite == 200)
    #expect(view.askedSDRWhite == 200 && view.askedHeadroom == nil)
    for setting in [PreviewView.Setting.exposure(1), .curve(nil), .sdrWhite(nil), .clipWarning(false)] {
      view.set(setting, over: request)
    }
    #expect(view.mapping(request) == request)
  }

  /// What was said of one display is not true of another.
  @Test func otherDisplaysHaveTheirOwnLight() throws {
    var request = MappingRequest()
    (request.chosenKind, request.peak, request.sdrWhite, request.black) = (.hdr10, 4000, 203, 0.1)
    let sdr = DisplayStatus(DisplayModel(BrowserScreen(isHDR: false)))
    let hdr = DisplayStatus(DisplayModel(BrowserScreen(isHDR: true)))
    var view = Self.view(peak: 4000)
    let mapped = view.mapping(request, to: .sdr, on: sdr)
    #expect(mapped.kind == .sdr && mapped.peak == nil && mapped.sdrWhite == nil && mapped.black == nil)
    view.set(.headroom(400), over: request)
    #expect(view.mapping(request, to: .sdr, on: sdr).headroom == nil)
    #expect(view.mapping(request, to: .hdr10, on: hdr).headroom == hdr.potentialHeadroom)
    view.set(.edr(false), over: request)
    let clipped = view.mapping(request, to: .hdr10, on: hdr)
    #expect(clipped.curve == .named(.clip) && clipped.peak == hdr.sdrWhite)
    for mapping in [mapped, clipped] { try mapping.validate() }
  }

  /// Nothing is looked at in another way there.
  @Test func referenceModeLocksTheView() throws {
    var view = Self.view()
    for setting in [PreviewView.Setting.exposure(2), .curve(.clip), .headroom(2), .sdrWhite(50), .edr(false)] {
      view.set(setting, over: MappingRequest())
    }
    let mapping = view.mapping(MappingRequest(), to: .hdr10, on: DisplayStatus(.reference))
    try mapping.validate()
    #expect(mapping.exposure == 0 && mapping.curve == nil && mapping.headroom == nil && mapping.sdrWhite == nil)
  }

  /// A command that changes nothing about the view says so.
  @Test func othersAreLeftToOthers() {
    var view = Self.view()
    for command in [
      PreviewCommand.quit, .togglePause, .step, .snapshot, .toggleRecording, .toggleFullScreen, .toggleHelp,
    ] {
      let isChange = view.apply(command)
      #expect(!isChange)
    }
    #expect(view == Self.view())
    let isLower = view.apply(.lowerHeadroom)
    #expect(!isLower)
  }
}

@Suite struct RenderAdaptationTests {
  private static let busy = RenderAdaptation.Sample(seconds: 0.5, shown: 15, dropped: 15, rendering: 0.5)
  private static let idle = RenderAdaptation.Sample(seconds: 0.5, shown: 30, dropped: 0, rendering: 0.05)

  /// Actions, with the number of half seconds before each.
  private static func actions(
    _ adaptation: inout RenderAdaptation, _ sample: RenderAdaptation.Sample, halfSeconds: Int
  ) -> [(at: Int, action: RenderAdaptation.Action)] {
    (1...halfSeconds).compactMap { step in adaptation.update(sample).map { (step, $0) } }
  }

  @Test func scaleFirstThenTheRateEachAfterTwoSeconds() {
    var adaptation = RenderAdaptation(canScale: true, lowerRates: 2)
    let actions = Self.actions(&adaptation, Self.busy, halfSeconds: 40)
    #expect(actions.map(\.action) == [.halveScale, .lowerRate, .lowerRate])
    #expect(actions.map(\.at) == [4, 8, 12])
  }

  /// A slow screen is no reason to record fewer frames.
  @Test func aRecordingHasTheFullRate() {
    var recording = Self.busy
    recording.isRecording = true
    var adaptation = RenderAdaptation(canScale: true, lowerRates: 2)
    #expect(Self.actions(&adaptation, recording, halfSeconds: 40).map(\.action) == [.halveScale])
    _ = Self.actions(&adaptation, Self.busy, halfSeconds: 8)
    #expect(adaptation.rateSteps == 2)
    // One that begins at a lower rate gets the full one at once.
    let first = adaptation.update(recording)
    #expect(first == .raiseRate && adaptation.rateSteps == 0)
  }

  @Test func whatWasDoneIsUndoneInTheOppositeOrder() {
    var adaptation = RenderAdaptation(canScale: true, lowerRates: 1)
    _ = Self.actions(&adaptation, Self.busy, halfSeconds: 8)
    let undone = Self.actions(&adaptation, Self.idle, halfSeconds: 40)
    #expect(undone.map(\.action) == [.raiseRate, .restoreScale])
    #expect(undone.map(\.at) == [10, 20])
    #expect(!adaptation.isScaleHalved && adaptation.rateSteps == 0)
  }

  /// An attempt that fails is not repeated as soon.
  @Test func patienceGrows() {
    var adaptation = RenderAdaptation(canScale: true, lowerRates: 0)
    let waits = (0..<6).flatMap { _ in
      #expect(Self.actions(&adaptation, Self.busy, halfSeconds: 4).map(\.action) == [.halveScale])
      // Until it is undone.
      for step in 1...400 where adaptation.update(Self.idle) == .restoreScale { return [step] }
      return []
    }
    #expect(waits == [10, 20, 40, 80, 160, 160])
  }

  @Test func aHiccupIsNoOverload() {
    var adaptation = RenderAdaptation(canScale: true, lowerRates: 1)
    let hiccup = RenderAdaptation.Sample(seconds: 0.5, shown: 29, dropped: 1, rendering: 0.3)
    let smooth = RenderAdaptation.Sample(seconds: 0.5, shown: 30, dropped: 0, rendering: 0.3)
    for _ in 0..<100 {
      let actions = [adaptation.update(hiccup), adaptation.update(smooth)]
      #expect(actions == [nil, nil])
    }
  }

  /// Enough work remains: nothing is undone.
  @Test func aBusyRendererStaysAsItIs() {
    var adaptation = RenderAdaptation(canScale: true, lowerRates: 0)
    _ = Self.actions(&adaptation, Self.busy, halfSeconds: 4)
    let loaded = RenderAdaptation.Sample(seconds: 0.5, shown: 30, dropped: 0, rendering: 0.2)
    #expect(Self.actions(&adaptation, loaded, halfSeconds: 200).isEmpty)
  }

  @Test func nothingIsDoneWhereNothingCanBe() {
    var adaptation = RenderAdaptation(canScale: false, lowerRates: 0)
    #expect(Self.actions(&adaptation, Self.busy, halfSeconds: 50).isEmpty)
    let action = adaptation.update(.init(seconds: 0, shown: 0, dropped: 0, rendering: 0))
    #expect(action == nil)
  }
}
