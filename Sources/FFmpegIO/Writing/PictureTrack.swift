/// Where the pictures of an output come from.
protocol PictureTrack: AnyObject {
  /// What is known about the pictures so far.
  associatedtype Report
  var report: Report { get }

  /// The file.
  var streams: OutputStreams { get }

  /// Writes the pictures that are still on their way.
  func finishPictures() throws(FFmpegError)
}
