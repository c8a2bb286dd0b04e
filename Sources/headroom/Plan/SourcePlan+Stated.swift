internal import ColorScience
internal import Frames
internal import ToneMapping

extension SourcePlan {
  /// Content of which there is no file: PQ in BT.2020 where nothing else is said, mastered to 0.005...1000 cd/m².
  init(stated overrides: SourceOverrides) throws {
    let tags = overrides.applied(
      to: ColorDescription(primaries: .unspecified, transfer: .pq, matrix: .rgb, range: .full))
    color = tags.assumed(layout: PixelLayout(.rgb, bitDepth: 10), size: Size(width: 1920, height: 1080))
    metadata = HDRMetadata()
    metadata.contentLight = overrides.contentPeak.map { ContentLight(maxCLL: $0, maxFALL: 0) }
    isSubsampled = false
    do {
      interpretation = try ContentInterpretation(color: color, metadata: metadata)
    } catch {
      throw CommandFailure(error, path: "the input")
    }
  }
}
