internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Synchronization

extension Session {
  /// Makes a contact sheet: frames spread over the input, side by side.
  func runContactSheet(_ plan: PicturePlan, _ grid: PictureRequest.Grid, _ input: OpenedInput) throws -> Outcome {
    let reader = input.reader
    let cell = try plan.cell(of: grid)
    let renderer = try PictureRenderer(self, plan, input)
    let writer = try plan.writerSettings(first: input.first, video: reader.video)
    let sheet = ContactSheetSink(
      ContactSheet(cells: cell, columns: grid.columns, rows: grid.rows, metadata: plan.metadata), writer)
    let source = SpreadFrames(reader, times: try plan.contactTimes(grid, reader))
    return try running {
      var run = Run(source: source, to: sheet)
      (run.inputName, run.input) = (reader.info.url, input.state)
      let done = try perform(run, renderer.render)
      let frames = done.progress.frames
      if frames > 0, frames < grid.count, !reader.isStill, !isCancelled {
        let gaps = grid.count - frames
        let cells = gaps == 1 ? "1 cell is" : "\(gaps) cells are"
        warn("contact-sheet-has-gaps", "'\(reader.info.url)' is shorter than stated: \(cells) empty.")
      }
      if frames > 0 { note("contact-sheet-done", "\(frames.counting("frame")) in a sheet of \(sheet.size).") }
      return try conclude(done, reader, plan.request.selection)
    }
  }
}

extension PicturePlan {
  /// - Throws: `Refusal` if such pictures or such an input do not allow a contact sheet.
  func checkContactSheet(_ reader: any MediaInput) throws(Refusal) {
    guard let grid = request.contact else { return }
    _ = try cell(of: grid)
    _ = try contactTimes(grid, reader)
  }

  /// Returns the format of each picture on a sheet.
  fileprivate func cell(of grid: PictureRequest.Grid) throws(Refusal) -> PixelFormat {
    guard let format = rendering.target?.endpoint.format, rendering.decoding == nil,
      format.layout.components == .rgb, format.layout.samples == .integer
    else {
      throw .invalid(
        "contact-sheet-needs-codes",
        "A contact sheet is a picture of code values: choose png, tiff or jxl, a \(.space) that is not linear, and "
          + "\(.stage, "mapped") or decoded.")
    }
    let size = ContactSheet.size(cell: format.size, columns: grid.columns, rows: grid.rows)
    guard size.width <= 16_384, size.height <= 16_384 else {
      throw .invalid(
        "contact-sheet-too-large",
        "The sheet would be \(size): use fewer frames, or smaller ones with \(.scale).")
    }
    return format
  }

  /// Returns times in seconds from the start of the file: the centres of equal intervals, one per cell.
  fileprivate func contactTimes(_ grid: PictureRequest.Grid, _ reader: any MediaInput) throws(Refusal) -> [Double] {
    if reader.isStill { return [0] }
    let stream = reader.info.streams.first { $0.index == reader.video.index }
    let start = request.selection.start ?? 0
    let whole = (stream?.seconds ?? reader.info.duration).map { $0 - start }
    guard let length = [whole, request.selection.duration].compactMap(\.self).filter({ $0 > 0 }).min() else {
      throw .invalid(
        "unknown-duration",
        "The duration of '\(reader.info.url)' is unknown, so frames cannot be spread over it: give \(.duration).")
    }
    return (0..<grid.count).map { start + (Double($0) + 0.5) / Double(grid.count) * length }
  }
}

/// The frames of an input at given times.
private final class SpreadFrames: FrameSource, @unchecked Sendable {
  // @unchecked: only the reading thread uses `next`.
  private let reader: any MediaInput
  private let times: [Double]
  private var next = 0

  init(_ reader: any MediaInput, times: [Double]) { (self.reader, self.times) = (reader, times) }

  func interrupt() { reader.interrupt() }

  func read() throws -> StreamItem? {
    guard next < times.count else { return nil }
    if !reader.isStill { try reader.seek(toSeconds: times[next]) }
    next += 1
    // The container may overstate its length.
    return try reader.readFrame().map { StreamItem(frame: $0) }
  }
}

/// Composes frames into one picture and writes it.
private final class ContactSheetSink: OutputSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses `count` until the run is over; `writer` has a lock.
  private let writer = Mutex<ImageFileWriter?>(nil)
  private let sheet: ContactSheet
  private let settings: ImageFileWriter.Settings
  private var count = 0

  init(_ sheet: ContactSheet, _ settings: ImageFileWriter.Settings) { (self.sheet, self.settings) = (sheet, settings) }

  var size: Size { sheet.frame.size }

  var bytesWritten: Int { writer.withLock { $0?.bytesWritten } ?? 0 }

  package func write(_ frame: CodedFrame) {
    sheet.add(frame, at: count, seconds: frame.time.seconds)
    count += 1
  }

  /// Ignores data other than frames.
  func pass(_ data: any PassingData) {}

  func finish() throws -> OutputLosses {
    let writer = try ImageFileWriter(settings)
    self.writer.withLock { $0 = writer }
    do {
      try writer.write(sheet.frame)
      return try writer.finish()
    } catch {
      writer.cancel()
      throw error
    }
  }

  func cancel() {}

  func discard() { writer.withLock { $0 }?.discard() }
}

extension PictureScaling {
  /// Width of a picture on a contact sheet.
  private static let thumbnailWidth = 384

  /// Returns the size of a picture on a contact sheet, with square samples; nil if none is requested.
  static func thumbnail(
    of video: VideoStreamInfo, cropped crop: PictureCrop?, for request: PictureRequest
  ) -> PictureScaling? {
    // Linear light has no coded signal to scale.
    guard request.contact != nil, video.layout?.samples != .half else { return nil }
    let turn = video.displayMatrix?.orientation ?? .identity
    let ratio = video.sampleAspectRatio.map(turn.rotated(sampleAspectRatio:))?.value ?? 1
    let size = turn.rotated(crop.map { Size(width: $0.area.width, height: $0.area.height) } ?? video.size)
    let height = Double(thumbnailWidth * size.height) / (Double(size.width) * (ratio > 0 ? ratio : 1))
    // NaN if the container does not state a size: pictures then keep their size.
    guard size.width > 0, size.height > 0, height.isFinite else { return nil }
    let even = Int((min(height, 4096) / 2).rounded()) * 2
    return PictureScaling(width: .samples(thumbnailWidth), height: .samples(max(even, extents.lowerBound)))
  }
}
