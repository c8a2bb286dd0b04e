import LivePreview
import Scopes
import Testing
import ToneMapping

import Sessions

/// What clients may change, and how they are told that they may not.
@Suite struct ServePatchTests {
  @Test func everyMember() throws {
    let patch = try ServePatch(
      """
      {"reset": true, "paused": true, "step": 3, "position": 1.5, "recording": false, "curve": "bt2390", "exposure": -1,
       "edr": false, "headroom": 4, "sdr_white": null, "highlight": true, "false_color": false, "clip_warning": true,
       "scopes": "parade"}
      """)
    #expect(patch.resets && patch.isPaused == true && patch.isRecording == false)
    #expect(patch.steps == 3 && patch.position == 1.5)
    let all: Set<PreviewView.Setting> = [
      .curve(.named("bt2390")), .exposure(-1), .edr(false), .headroom(4), .sdrWhite(nil), .highlight(true),
      .falseColor(false), .clipWarning(true), .scope(.parade),
    ]
    #expect(Set(patch.settings) == all && patch.settings.count == all.count)
    #expect(try ServePatch("{}") == ServePatch(#"{"reset": false}"#))
  }

  /// Objects have no order, and neither has what is done.
  @Test func theOrderOfMembersIsOfNoInfluence() throws {
    let one = try ServePatch(#"{"headroom": 4, "sdr_white": 200, "curve": null}"#)
    #expect(try one == ServePatch(#"{"curve": null, "sdr_white": 200, "headroom": 4}"#))
  }

  @Test(arguments: [
    ("", "JSON object"), ("[]", "JSON object"), ("{\"paused\": true", "JSON object"), ("null", "JSON object"),
    (#"{"paused": 1}"#, "true or false"), (#"{"paused": null}"#, "true or false"), (#"{"edr": "on"}"#, "true or false"),
    (#"{"step": 0}"#, "1 to 1000"), (#"{"step": 1.5}"#, "whole frames"), (#"{"step": true}"#, "1 to 1000"),
    (#"{"position": -1}"#, "0 to 1000000"), (#"{"position": 1e400}"#, "0 to 1000000"),
    (#"{"headroom": 0.5}"#, "1 to 400"), (#"{"sdr_white": "bright"}"#, "1 to 10000"),
    (#"{"exposure": 11}"#, "-10 to 10"),
    (#"{"curve": "none"}"#, "system, st2094-50, bt2390"),
    (#"{"scopes": true}"#, "waveform"), (#"{"colour": 1}"#, "'colour'"),
    (#"{"paused": false, "step": 1}"#, "pause"), (#"{"input": "/etc/passwd"}"#, "'input'"),
  ])
  func whatIsNoPatchIsRefusedInASentence(_ text: String, _ words: String) {
    let failure = #expect(throws: ClientError.self) { try ServePatch(text) }
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    #expect(failure?.description.hasSuffix(".") == true)
  }
}
