import ColorScience
import FFmpegIO
import Frames
import Rendering
import ToneMapping

/// The brightest value of each frame as a display with this headroom would show it; 1.0 is SDR white.
func brightestPixels(ofFileAt path: String, headroom: Double) throws -> [Float16] {
  let reader = try MediaReader(url: path)
  guard let first = try reader.peekFrame() else { return [] }
  let content = try ContentInterpretation(color: first.color, metadata: first.metadata)
  let display = Display(sdrWhite: 100, peak: 100 * headroom, primaries: .displayP3)
  let mapping = DisplayMapping(
    DisplayMapping.Settings(metadata: content.metadata, primaries: content.primaries, display: display))
  let linearizer = try FrameLinearizer(
    source: FrameRenderer.Endpoint(format: first.format, transfer: content.transfer), stages: [mapping],
    pool: WorkerPool())
  var result: [Float16] = []
  while let frame = try reader.readFrame() {
    let linear = try linearizer.linearFrame(frame)
    var brightest: Float16 = 0
    for component in LinearFrame.Component.allCases {
      for y in 0..<linear.size.height {
        let row = linear.row(y, component)
        for x in row.indices { brightest = max(brightest, row[x]) }
      }
    }
    result.append(brightest)
  }
  return result
}
