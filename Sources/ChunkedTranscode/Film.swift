public import Farm
internal import Files
internal import Foundation
internal import Media
internal import Sessions
internal import ToneMapping

/// A plan in its work folder.
public struct Film: Sendable {
  /// The work folder: the only record of what has been done.
  public let folder: WorkFolder
  /// The plan.
  public let plan: FilmPlan
  /// Checksum of the plan: pieces belong to one plan.
  public let checksum: String

  /// Maximum size in bytes of a plan file.
  private static let largest = 1 << 26

  init(_ folder: WorkFolder, _ plan: SealedPlan<FilmPlan>) {
    (self.folder, self.plan, checksum) = (folder, plan.plan, plan.checksum)
  }

  /// Reads the plan of a work folder.
  /// - Throws: `Refusal` if it has none, `FarmError` if it cannot be read.
  public init(_ path: String) throws {
    let folder = WorkFolder(path)
    guard let bytes = try Self.bytes(of: folder.planPath) else {
      let command: MessageText = "headroom plan INPUT \(.destination, "OUTPUT") \(.workFolder, "DIR")"
      guard FileStatus(path)?.kind == .folder else {
        throw Refusal.invalid("no-work-folder", "There is no folder '\(path)': make a plan with \(command).")
      }
      throw Refusal.invalid("no-plan", "'\(path)' has no plan: make one with \(command).")
    }
    guard let plan = try? SealedPlan<FilmPlan>(json: Data(bytes)) else {
      throw Refusal.invalid(Self.damagedPlan(in: path))
    }
    self.init(folder, plan)
  }

  private static func damagedPlan(in folder: String) -> Message {
    Message(
      "plan-damaged",
      "The plan in '\(folder)' is damaged, was changed, or is of another version: make a new one with headroom "
        + "plan.")
  }

  /// - Returns: nil if the file does not exist; empty if it is not a file, or too large.
  private static func bytes(of path: String) throws(FarmError) -> [UInt8]? {
    do { return try SmallFile.bytes(of: path, upTo: largest) } catch .system(let code) {
      if code == ENOENT || code == ENOTDIR { return nil }
      throw .failed(.read, path: path, code: code)
    } catch { return [] }
  }

  /// Checks that this program and input match the plan.
  /// - Parameter allowsMixed: Accepts other versions.
  /// - Returns: The version differences, if they are accepted.
  /// - Throws: `Refusal` if versions differ, or the input has changed.
  func check(allowsMixed: Bool) throws(Refusal) -> [Message] {
    try plan.input.checkUnchanged()
    let own = ToolVersions(encoder: plan.transcode.video.encoder)
    guard let (tool, planned, found) = plan.versions.difference(from: own) else { return [] }
    guard allowsMixed else {
      throw .failed(
        "plan-of-other-version",
        "The plan in '\(folder.path)' is for \(tool) \(planned), and this is \(found): other versions may code other "
          + "pictures. Use the same version on all machines, make a new plan, or accept it with \(.allowMixed).")
    }
    return [.versionsMixed(tool, planned: planned, own: found)]
  }

  /// The folder still holds this plan. A plan that cannot be read now does not count as replaced.
  var isCurrent: Bool {
    guard let bytes = try? SmallFile.bytes(of: folder.planPath, upTo: Self.largest) else { return true }
    guard let head = try? JSONDecoder().decode(PlanHead.self, from: Data(bytes)) else { return true }
    return head.checksum == checksum
  }

  private struct PlanHead: Decodable { let checksum: String }

  /// Removes files that interrupted runs left beside the pieces.
  func removeLeftovers() {
    folder.removeLeftovers()
    OutputFile.removeDead(in: folder.piecesPath) { _ in true }
  }

  /// - Throws: `Refusal` for a number that is not in the plan.
  func check(_ number: Int) throws(Refusal) {
    let count = plan.chunks.count
    guard plan.chunks.indices.contains(number) else {
      throw .invalid(
        "no-such-piece",
        count == 1
          ? "The plan has one piece, 0, and no piece \(number)."
          : "The plan has pieces 0 to \(count - 1), not \(number).")
    }
  }

  /// Returns the shot state at the start of a chunk; nil: the plan keeps no state over frames.
  /// - Throws: `Refusal` if the table is missing or was changed, `FarmError` if it cannot be read.
  func shotState(_ number: Int) throws -> ShotTracker.State? {
    guard let hash = plan.shots else { return nil }
    guard let bytes = try Self.bytes(of: folder.path(of: FilmPlan.shotsName)),
      let shots = try? JSONDecoder().decode(FilmShots.self, from: Data(bytes)), (try? Checksum.of(shots)) == hash,
      let state = shots.state(number)
    else { throw Refusal.failed(Self.damagedPlan(in: folder.path)) }
    return state
  }
}

/// The state of the dynamic metadata at the start of each chunk.
struct FilmShots: Codable, Sendable {
  /// States without the repetitions of long shots.
  private var states: [ShotTracker.State] = []
  private var places: [Int] = []

  mutating func append(_ state: ShotTracker.State) {
    if states.last != state { states.append(state) }
    places.append(states.count - 1)
  }

  var count: Int { places.count }

  func state(_ number: Int) -> ShotTracker.State? {
    guard places.indices.contains(number), states.indices.contains(places[number]) else { return nil }
    return states[places[number]]
  }
}
