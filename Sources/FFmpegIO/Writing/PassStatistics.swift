internal import CFFmpeg
internal import Files
internal import Glibc
internal import Media
internal import Synchronization

/// What a first pass has found out about the frames, for the second: a text, or files beside the output.
public final class PassStatistics: Sendable {
  /// How an encoder hands over what it has found out.
  enum Form {
    /// A file that the library writes and reads.
    case file
    /// `stats_out` and `stats_in` of FFmpeg's codec context.
    case text

    /// - Returns: nil for an encoder that has one pass.
    init?(_ encoder: String) {
      switch encoder {
      case "libx264", "libx264rgb", "libx265": self = .file
      // FFmpeg's own, such as mpeg4, are left out: where the rate is too low, its second pass corrupts memory (5.1).
      case "libaom-av1", "libvpx", "libvpx-vp9", "libtheora": self = .text
      default: return nil
      }
    }
  }

  /// A pass that uses it.
  public enum Pass: Sendable {
    /// Fills it.
    case first(PassStatistics)
    /// Uses it.
    case second(PassStatistics)

    var statistics: PassStatistics {
      switch self {
      case .first(let statistics), .second(let statistics): statistics
      }
    }

    var isFirst: Bool { if case .first = self { true } else { false } }
  }

  private let output: HeldOutput
  private let collected = Mutex("")

  /// Makes room beside the output, which counts as being written: a film in 4K needs gigabytes.
  /// - Throws: `FFmpegError.output` if it cannot be written.
  public init(for settings: MediaWriter.Settings) throws(FFmpegError) {
    do { output = try HeldOutput(settings.url, replaces: settings.replacesFile) } catch { throw .output(error) }
  }

  /// Removes everything, from any thread.
  public func discard() { output.release() }

  /// The file that a library writes; some add others whose names begin with it.
  var path: String { output.path("statistics") }

  /// Frames in the file. x264 and x265 write a line for each, which begins with its number, and do not notice all failures to write.
  /// - Throws: `FFmpegError.output` if it cannot be read.
  func framesInFile() throws(FFmpegError) -> Int {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .output(.system(.read, path)) }
    defer { close(descriptor) }
    // Of a device there would be no end.
    guard FileStatus(descriptor: descriptor)?.kind == .regular else { return 0 }
    let mark = Array("in:".utf8)
    var (count, line) = (0, [UInt8]())
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let length = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if length < 0, errno == EINTR { continue }
      if length < 0 { throw .output(.system(.read, path)) }
      if length == 0 { return count }
      for byte in block[..<length] {
        if byte == UInt8(ascii: "\n") {
          line.removeAll(keepingCapacity: true)
        } else if line.count < mark.count {
          line.append(byte)
          if line == mark { count += 1 }
        }
      }
    }
  }

  /// The text so far.
  var text: String { collected.withLock { $0 } }

  func append(_ text: String) { collected.withLock { $0 += text } }
}
