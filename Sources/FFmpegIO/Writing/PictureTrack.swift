/// The source of an output's pictures.
protocol PictureTrack: AnyObject {
  /// Information about the pictures so far.
  associatedtype Report
  var report: Report { get }

  /// The file.
  var streams: OutputStreams { get }

  /// Writes the pending pictures.
  func finishPictures() throws(FFmpegError)
}
