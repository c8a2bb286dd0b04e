internal import Displays
internal import Files
internal import Foundation
internal import Frames
internal import Preview
internal import Scopes
internal import Sessions
internal import ToneMapping

/// The state of a preview that is sent to other devices.
struct ServeState {
  /// The status line.
  var status: PreviewStatus
  var view: PreviewView
  let plan: PreviewPlan
  let isReadOnly: Bool
  let canSeek: Bool
  let canRecord: Bool
  /// Size of the shown picture.
  var size: Size
  /// Seconds; nil: unknown, or unlimited.
  var duration: Double?
  var position: Double?
  var hasEnded = false
  /// The last message.
  var message: String?
  var rendered = 0
  var viewers: [(number: Int, stream: StreamDescription)] = []

  /// A line of JSON with sorted keys; missing values are null.
  var json: String { (try? JSON.lineWithNulls(fields)) ?? "{}" }

  private var fields: [(String, Any?)] { input + look + counts + choices }

  private var input: [(String, Any?)] {
    [
      ("input", plan.request.input.name.printable), ("format", status.source), ("signal", plan.signal),
      ("live", plan.isLive),
      ("width", size.width), ("height", size.height), ("duration", duration), ("position", position),
      ("paused", status.isPaused), ("ended", hasEnded), ("fault", status.fault), ("message", message),
      ("recording", status.isRecording), ("read_only", isReadOnly), ("can_seek", canSeek && !isReadOnly),
      ("can_record", canRecord && !isReadOnly),
    ]
  }

  private var look: [(String, Any?)] {
    [
      ("curve", (view.curve ?? plan.request.mapping.staticCurve).name),
      ("exposure", plan.request.mapping.exposure + view.exposure), ("edr", view.isEDROn),
      ("headroom", view.askedHeadroom), ("sdr_white", view.sdrWhite), ("highlight", view.showsHighlight),
      ("false_color", view.showsFalseColor), ("clip_warning", view.showsClipWarning), ("scopes", view.scope?.rawValue),
      ("reference_mode", plan.target.referenceMode?.rawValue),
    ]
  }

  private var counts: [(String, Any?)] {
    [
      ("rate", status.rate), ("rendered", rendered), ("dropped", status.dropped), ("lost", status.lost),
      ("not_recorded", status.recordingDropped), ("latency", status.latency?.median),
    ]
  }

  private var choices: [(String, Any?)] {
    [
      ("curves", ToneCurve.all.map(\.name)), ("scopes_available", ScopeKind.allCases.map(\.rawValue)),
      ("displays", DisplayModel.presets.map(\.name)),
      (
        "viewers",
        viewers.map { viewer in
          JSON.fields([("viewer", viewer.number as Any?)] + viewer.stream.fields)
        }
      ),
    ]
  }
}
