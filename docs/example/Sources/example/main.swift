import FFmpegIO
import Frames
import Rendering
import Sessions
import StreamPipeline
import ToneMapping

// example INPUT OUTPUT: an SDR transcode with a curve of our own and a window beside it that has filters of its own, and a rendering with a
// stage and a sink of our own.
let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: example INPUT OUTPUT") }

var request = TranscodeRequest(input: arguments[1], output: arguments[2])
request.mapping.curve = .named(.knee)
request.overwrites = true
let session = Session { event in
  if case .pipeline(.failed(let output, let error)) = event { print("\(output) failed: \(error)") }
}
let plan = try session.plan(request)
print(plan.summary)
// A window with filters of its own, from the same decoding and unpacking.
let window = MeanSink()
var output = Session.SideOutput(name: "window", sink: window)
output.filters = ["highlight"]
output.policy = .everyFrame
try session.run(plan, beside: [output])
print("\(window.values.count) frames in the window")

let reader = try MediaReader(url: arguments[1])
guard let first = try reader.peekFrame() else { fatalError("There is no frame.") }
let content = try ContentInterpretation(color: first.color, metadata: first.metadata)
let format = PixelFormat(size: first.size, layout: first.layout, color: first.color)
let source = FrameRenderer.Endpoint(format: format, transfer: content.transfer)
// The same light twice from one unpacking: as it is, and grey.
let renderer = try FrameRenderer(
  source: source,
  outputs: [.init(end: .coded(source)), .init(stages: [Monochrome()], end: .coded(source))], pool: WorkerPool())
let (plain, grey) = (MeanSink(), MeanSink())
let pool = FramePool(format)
let pipeline = StreamPipeline(
  source: reader, outputs: [.init(name: "plain", sink: plain), .init(name: "grey", sink: grey)])
_ = try pipeline.run { frame, _ in
  let results = [pool.frame(time: frame.time), pool.frame(time: frame.time)]
  try renderer.render(frame, into: results.map { .coded($0) })
  return results.map { .frame($0) }
}
print("\(plain.values.count) frames; mean luma \(plain.values[0]), of grey \(grey.values[0])")
