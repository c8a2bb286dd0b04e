internal import CFFmpeg
internal import Frames

extension PictureStream {
  /// What the file says about itself. To be called before anything is read.
  ///
  /// Files of pictures say in the picture alone how it is to be turned, as Exif does: its first is looked at.
  func info() throws(FFmpegError) -> MediaInfo {
    var info = demuxer.info()
    let index = index
    guard info.isOfPictures, let place = info.streams.firstIndex(where: { $0.index == index }),
      var video = info.streams[place].video, video.displayMatrix == nil
    else { return info }
    video.displayMatrix = try peek().flatMap { DisplayMatrix($0) }
    info.streams[place].video = video
    return info
  }
}

extension DisplayMatrix {
  /// The matrix that a picture has; nil where it has none.
  fileprivate init?(_ picture: Picture) {
    guard let data = unsafe av_frame_get_side_data(picture.frame, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: data.pointee.data, count: Int(data.pointee.size))
    guard bytes.count == 9 * MemoryLayout<Int32>.size else { return nil }
    self.init((0..<9).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) })
  }
}
