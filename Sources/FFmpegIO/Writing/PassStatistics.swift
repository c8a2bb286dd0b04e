internal import CFFmpeg
internal import Files
internal import Glibc
internal import Media
internal import Synchronization

/// First-pass statistics for the second pass: a text, or files beside the output.
public final class PassStatistics: Sendable {
  /// The form of an encoder's statistics.
  enum Form {
    /// A file that the library writes and reads.
    case file
    /// `stats_out` and `stats_in` of FFmpeg's codec context.
    case text

    /// - Returns: nil for an encoder without two passes.
    init?(_ encoder: String) {
      switch encoder {
      case "libx264", "libx264rgb", "libx265": self = .file
      // FFmpeg's native encoders, such as mpeg4, are excluded: at too low a rate, their second pass corrupts memory
      // (5.1).
      case "libaom-av1", "libvpx", "libvpx-vp9", "libtheora": self = .text
      default: return nil
      }
    }
  }

  /// A pass that uses the statistics.
  public enum Pass: Sendable {
    /// Writes the statistics.
    case first(PassStatistics)
    /// Reads the statistics.
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

  /// Reserves the output and places files beside it: a 4K film needs gigabytes.
  /// - Throws: `FFmpegError.output` if files cannot be written there.
  public init(for settings: MediaWriter.Settings) throws(FFmpegError) {
    do { output = try HeldOutput(settings.url, replaces: settings.replacesFile) } catch { throw .output(error) }
  }

  /// Removes all files, from any thread.
  public func discard() { output.release() }

  /// The library's statistics file; some libraries add files whose names begin with it.
  var path: String { output.path("statistics") }

  /// Number of frames in the file. x264 and x265 write a numbered line for each, and miss some write errors.
  /// - Throws: `FFmpegError.output` if it cannot be read.
  func framesInFile() throws(FFmpegError) -> Int {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .output(.system(.read, path)) }
    defer { close(descriptor) }
    // A device would never end.
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

  /// The text collected so far.
  var text: String { collected.withLock { $0 } }

  func append(_ text: String) { collected.withLock { $0 += text } }
}
