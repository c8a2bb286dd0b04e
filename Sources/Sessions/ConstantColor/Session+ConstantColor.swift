internal import ConstantColor
internal import Foundation
internal import Frames
internal import Media
internal import Rendering

extension Session {
  /// Makes a picture of constant colour from two pictures, and what goes beside it.
  ///
  /// If the picture cannot be believed, it is not written; everything else is.
  /// - Throws: `Refusal` for impossible requests and for pictures that are no pair, `Cancellation`, or the error of a
  ///   library; nothing is left behind.
  public func run(_ request: ConstantColorRequest) throws -> ConstantColorOutcome {
    try request.validate()
    let files = try ConstantColorFiles(request, self)
    let pool = WorkerPool(count: request.processing.threads)
    let frames = try framePair(request, pool)
    return try running {
      files.removeAtExit()
      return try ConstantColorRun(session: self, request: request, files: files, pool: pool).run(frames)
    }
  }

  /// The pair of a clip or a device; nil if the request is about stills.
  private func framePair(_ request: ConstantColorRequest, _ pool: WorkerPool) throws -> ScenePair? {
    guard case .frames(let name, let choice) = request.source else { return nil }
    let regions = request.regions.map(\.area)
    let frames = try flashFrames(
      of: InputRequest(name), choice, regions: regions, processing: request.processing
    ) { event in
      switch event {
      case .drivesFlash: note([.constantColor(.drivesFlash)])
      case .waitsForLamp(let seconds): note([.constantColor(.waitsForLamp(seconds: seconds))])
      case .adaptsItself: warn([.constantColor(.adaptsItself)])
      case .metered(let result):
        note(result.setting.notes)
        warn(result.finding.warnings(isRegion: !regions.isEmpty))
      }
    }
    note([.constantColor(.takesFrames(ambient: frames.pair.ambient, flash: frames.pair.flash))])
    return try ScenePair(frames, name, pool: pool)
  }
}

extension FlashFrameSetting {
  /// What was chosen, if anything is known of it.
  fileprivate var notes: [Diagnostic] {
    let seconds = exposure?.seconds
    return seconds == nil && intensity == nil ? [] : [.constantColor(.isTakenWith(seconds: seconds, flash: intensity))]
  }
}

extension Metering.Finding {
  /// What is wrong with the exposure of the regions of interest, or of the whole picture.
  fileprivate func warnings(isRegion: Bool) -> [Diagnostic] {
    switch self {
    case .fits: []
    case .clips, .metersAgain: [.constantColor(.clips(isRegion: isRegion))]
    case .drowns: [.constantColor(.drowns(isRegion: isRegion))]
    case .flashIsWeak: [.constantColor(.flashIsWeak)]
    }
  }
}
