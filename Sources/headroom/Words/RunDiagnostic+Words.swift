internal import FFmpegIO
internal import Media
internal import Rendering
internal import Sessions

extension RunDiagnostic {
  var words: String {
    switch self {
    case .measuresInput(let name): "measuring '\(name)' first."
    case .measuresOutput: "measuring the light of the coded frames first."
    case .measuredOutput(let light): "MaxCLL and MaxFALL of the coded frames: \(light.text) cd/m²."
    case .stoppedMeasuring(let frames):
      "stopped after \(frames.counting("frame")); an incomplete measurement is not written."
    case .sheetIsDone(let frames, let size): "\(frames.counting("frame")) in a sheet of \(size)."
    case .kernelsDoNotRun(let kernels, let best):
      "This processor does not run the kernels '\(kernels.rawValue)': the best it has is '\(best.rawValue)' (--kernels)."
    case .displayIsLost(let error):
      "\(error) The picture is made for what the display was before."
    case .exceedsStatedLight(let peak, let maxCLL):
      "A peak of \(peak.words) cd/m² is above the MaxCLL of \(maxCLL) that the file already states."
    case .outputNameIsTaken(let name): "Two outputs are called '\(name)'."
    case .bufferIsEmpty(let output): "The buffer of the output '\(output)' has no room for a frame."
    case .changesFormat: "Frames cannot change kind or size in the middle of a run."
    }
  }
}
