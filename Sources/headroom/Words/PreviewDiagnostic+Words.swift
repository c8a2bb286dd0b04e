internal import Capture
internal import Sessions

extension PreviewDiagnostic {
  var words: String {
    switch self {
    case .mode(let device, let mode, .asked, _, _): "The mode of '\(device)' is \(mode), as asked."
    case .mode(let device, let mode, .kept, _, _):
      "The mode of '\(device)' is \(mode), the format that it has. Choose another with --format, --size and --rate."
    case .mode(let device, let mode, .widest, let narrower, let slower): Self.chosen(device, mode, narrower, slower)
    case .noSignal(let reason): "The device has \(reason): waiting for it."
    case .signal(let mode): "There is a signal: \(mode)."
    case .restarted(0): "The stream could not be decoded: its decoder was started again."
    case .restarted(let code): "The device reported an error (errno \(code)) and was started again."
    case .unplugged: "The device was unplugged: waiting for it."
    case .reconnected: "The device is back."
    case .rate(let rate):
      "The device sends \(rate.map { "\($0.words(decimals: 2)) fps" } ?? "at a rate of its own") now."
    case .scale(isHalved: true): "Rendering cannot keep up: rendering at half the size."
    case .scale(isHalved: false): "Rendering at the full size again."
    case .records(let name): "Recording to '\(name)'."
    case .recorded(let name, let frames): "Recorded \(frames.counting("frame")) to '\(name)'."
    case .recordingDropped(let count):
      "The recording lacks \(count.counting("frame")), which came faster than they could be recorded: choose a faster --preset or encoder."
    case .recordingIsSlow: "The recording cannot keep up: it loses frames."
    case .recordsLight(let encoder):
      "\(encoder) does not take the input's samples as they are: the light is recorded, in a form that it takes."
    case .recordsNoOtherStreams(let audio, let subtitles):
      "The recording has pictures only, without the input's "
        + [
          audio > 0 ? audio.counting("audio stream") : nil, subtitles > 0 ? subtitles.counting("subtitle stream") : nil,
        ]
        .compactMap(\.self).joined(separator: " and ") + ": `headroom transcode` keeps them."
    case .recordingFailed(let reason): "The recording has ended: \(reason)"
    case .recordingIsKept(let name, let frames):
      "'\(name)' holds the first \(frames.counting("frame")) of the recording."
    case .recordingKeepsItsSize(let size): "The recording keeps its size, \(size): what comes now is scaled to it."
    case .hasNoScreen:
      "There is neither a display nor a terminal to show pictures on: choose --output null, or record with -o FILE."
    case .cannotRecordAgain: "Standard output cannot be recorded to again."
    case .recordsFast(let preset):
      "Recording with --preset \(preset), so that the encoder keeps up; choose another if it does."
    case .snapshot(let names): "Wrote \(names.joined(separator: " and "))."
    case .snapshotFailed(let reason): "No snapshot: \(reason)"
    case .displayDecides: "The display that is followed decides that."
    case .isImpossible(let reason): reason
    case .shown(let frames, let dropped, let lost):
      "\(frames.counting("frame")) shown, \(dropped) dropped" + (lost > 0 ? ", \(lost) lost before they arrived." : ".")
    case .latency(let median, let highest):
      "Latency from capture to presentation: \(median.words(decimals: 1)) ms, 99 % within \(highest.words(decimals: 1)) ms."
    }
  }

  private static func chosen(
    _ device: String, _ mode: String, _ narrower: [String], _ slower: [String]
  ) -> String {
    let others = narrower.isEmpty ? "" : "; \(narrower.joined(separator: ", ")) would be as fast and no wider"
    let slow = slower.isEmpty ? "" : "; \(slower.joined(separator: ", ")) would be wider and slower"
    return
      "The mode of '\(device)' is \(mode), the widest format at its full rate\(others)\(slow). Choose another with --format, --size and --rate."
  }
}
