internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Rendering
internal import Synchronization

/// Makes a contact sheet: frames spread over the input, side by side.
final class ContactRun {
  private let reader: any MediaInput
  private let plan: DumpPlan
  private let grid: FrameOutputOptions.Grid
  private let renderer: StreamRenderer
  private let format: PixelFormat
  private let writer: ImageFileWriter.Settings

  /// - Throws: `CommandFailure` where the sheet would be of samples that no letters can be drawn in.
  init(reader: any MediaInput, first: CodedFrame, plan: DumpPlan, grid: FrameOutputOptions.Grid) throws {
    guard let target = plan.rendering.target, plan.rendering.decoding == nil,
      target.endpoint.format.layout.components == .rgb, target.endpoint.format.layout.samples == .integer
    else {
      throw CommandFailure(
        "A contact sheet is a picture of code values: choose png, tiff or jxl, a --space that is not linear, and "
          + "--stage mapped or decoded.", .usage)
    }
    self.reader = reader
    self.plan = plan
    self.grid = grid
    format = target.endpoint.format
    let sheet = ContactSheet.size(cell: format.size, columns: grid.columns, rows: grid.rows)
    guard sheet.width <= 16_384, sheet.height <= 16_384 else {
      throw CommandFailure("The sheet would be \(sheet): take fewer frames, or smaller ones with --scale.", .usage)
    }
    renderer = try StreamRenderer(
      plan, first: first, path: reader.info.url, target: target,
      pool: WorkerPool(count: plan.request.rendering.processing.threads))
    writer = try plan.writerSettings(first: first, video: reader.video)
  }

  /// - Returns: How the process should end where a signal came; the sheet is written with what there was, if anything.
  func run() throws -> ExitStatus? {
    let sheet = ContactSheet(
      cells: format, columns: grid.columns, rows: grid.rows, metadata: plan.rendering.metadata)
    let isStopped = Stop()
    let interruption = Interruption(first: { isStopped.flag.store(true, ordering: .relaxed) }, second: {})
    let count = try paint(sheet, until: isStopped)
    if count == 0 {
      if let status = interruption.status { return status }
      throw CommandFailure.nothingSelected(of: reader.info.url)
    }
    reader.damage.forEach(Console.warning)
    let places = grid.columns * grid.rows
    if count < places, !reader.isStill, interruption.status == nil {
      Console.warning("'\(reader.info.url)' is shorter than it says: \(places - count) places are empty.")
    }
    let file = try ImageFileWriter(writer)
    do {
      try file.write(sheet.frame)
      try file.finish()
    } catch {
      file.cancel()
      throw error
    }
    if !plan.request.messages.quiet { Console.note("\(count) frames in a sheet of \(sheet.frame.size)") }
    return interruption.status
  }

  private final class Stop: Sendable {
    let flag = Atomic(false)
  }

  /// - Returns: How many pictures there are.
  private func paint(_ sheet: ContactSheet, until stop: Stop) throws -> Int {
    let cell = CodedFrame(size: format.size, layout: format.layout, color: format.color)
    var count = 0
    for time in try times() where !stop.flag.load(ordering: .relaxed) {
      if !reader.isStill { try reader.seek(toSeconds: time) }
      // The container may promise more than there is.
      guard let frame = try reader.readFrame() else { break }
      try renderer.render(frame, into: cell)
      sheet.add(cell, at: count, seconds: frame.time.seconds)
      count += 1
    }
    return count
  }

  /// Seconds from the start of the file, in the middle of as many equal parts of it as there are places.
  private func times() throws -> [Double] {
    if reader.isStill { return [0] }
    let stream = reader.info.streams.first { $0.index == reader.video.index }
    let start = plan.request.selection.start ?? 0
    let whole = (stream?.seconds ?? reader.info.duration).map { $0 - start }
    guard let length = [whole, plan.request.selection.duration].compactMap(\.self).filter({ $0 > 0 }).min() else {
      throw CommandFailure(
        "How long '\(reader.info.url)' is, is not known, so frames cannot be spread over it: give --duration.", .usage)
    }
    let count = grid.columns * grid.rows
    return (0..<count).map { start + (Double($0) + 0.5) / Double(count) * length }
  }
}
