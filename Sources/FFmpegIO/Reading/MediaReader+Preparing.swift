internal import CFFmpeg
internal import Frames
public import Media
internal import Synchronization

extension MediaReader {
  /// Sets the processing of the pictures, in their coded signal; call this before reading the first.
  ///
  /// A crop is a view of the decoded samples. Chroma keeps its siting; the fields of interlaced frames are scaled
  /// separately. With one frame per field, times are in half the stream's units.
  public func prepare(_ preparation: PicturePreparation) {
    lock.withLock { _ in
      wrapper.preparation = preparation
      video = preparation.deinterlacing.map(stream.deinterlaced) ?? stream
      deinterlacer = preparation.deinterlacing.map {
        Deinterlacer(
          $0, nominalDuration: wrapper.nominalDuration, threads: pictures.source.threads, path: info.url)
      }
    }
  }

  /// Units of `video` per unit of the stream.
  var ticks: Int64 { Int64(wrapper.preparation.deinterlacing?.framesPerPicture ?? 1) }

  /// The next item of the file, whether requested or not; nil at the end.
  func decodeNext() throws(FFmpegError) -> StreamItem? {
    while true {
      if let frame = try nextDeinterlaced() { return StreamItem(frame: frame) }
      guard let step = try pictures.next() else {
        try deinterlacer?.finish()
        return try nextDeinterlaced().map { StreamItem(frame: $0) }
      }
      let packets = step.packets.packets.isEmpty ? nil : step.packets
      guard let picture = step.picture else { return StreamItem(passing: packets) }
      hasDecoded = true
      let time = wrapper.time(of: picture)
      guard let deinterlacer else {
        return StreamItem(passing: packets, frame: try wrapper.wrap(picture, at: time))
      }
      try deinterlacer.push(picture, at: time)
      let frame = try nextDeinterlaced()
      if packets != nil || frame != nil { return StreamItem(passing: packets, frame: frame) }
    }
  }

  private func nextDeinterlaced() throws(FFmpegError) -> CodedFrame? {
    guard let output = deinterlacer?.next() else { return nil }
    return try wrapper.wrap(output.picture, at: output.time)
  }
}
