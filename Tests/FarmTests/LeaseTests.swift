import Farm
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

/// A chunk has one owner while it lives, and another soon after.
@Suite struct LeaseTests {
  private func take(_ number: Int, _ farm: FarmFixture, by machine: Machine = FarmFixture.machine("n1")) throws
    -> Lease?
  {
    try Lease.take(number, in: farm.folder, by: machine, lasting: 60)
  }

  @Test func aLivingClaimHolds() throws {
    let farm = try FarmFixture()
    let lease = try #require(try take(3, farm))
    #expect(try take(3, farm, by: FarmFixture.machine("n2")) == nil)
    let claim = try #require(farm.folder.claim(3))
    #expect(claim.token == lease.token && claim.machine?.host == "n1" && !claim.isExpired && claim.duration == 60)
    lease.release()
    #expect(farm.folder.claim(3) == nil && farm.names("claims").isEmpty)
    #expect(try take(3, farm, by: FarmFixture.machine("n2")) != nil)
  }

  @Test func aRenewalIsSeen() throws {
    let farm = try FarmFixture()
    let lease = try #require(try take(0, farm))
    farm.age(farm.claimPath(0), 50)
    #expect((farm.folder.claim(0)?.age ?? 0) > 40)
    try lease.renew(frames: 42, framesPerSecond: 7.25)
    let claim = try #require(farm.folder.claim(0))
    #expect(claim.frames == 42 && claim.framesPerSecond == 7.25 && (claim.age ?? 99) < 40 && !lease.isLost)
    try lease.renew(frames: 43, framesPerSecond: .nan)
    #expect(farm.folder.claim(0)?.frames == 43)
  }

  @Test(arguments: [59, 61])
  func aSilentClaimIsTaken(_ age: Int) throws {
    let farm = try FarmFixture()
    let lease = try #require(try take(0, farm))
    farm.age(farm.claimPath(0), age)
    // On a busy machine, a second may pass until it is looked at.
    if age < 60, let seen = farm.folder.claim(0)?.age, seen > 59.9 { return }
    let other = try take(0, farm, by: FarmFixture.machine("n2"))
    #expect((other != nil) == (age > 60))
    guard other != nil else { return }
    #expect(!lease.isLost)
    try lease.renew(frames: 1, framesPerSecond: 1)
    #expect(lease.isLost)
    // The loser removes nothing of the winner's.
    lease.release()
    #expect(farm.folder.claim(0)?.token == other?.token)
    #expect(farm.names("claims") == ["0"])
  }

  /// A machine that was slow shows that it is alive just as another takes its claim away.
  @Test func aClaimThatIsRenewedMeanwhileStays() throws {
    let farm = try FarmFixture()
    let lease = try #require(try take(0, farm))
    farm.age(farm.claimPath(0), 100)
    let seen = try #require(farm.folder.claim(0))
    #expect(seen.isExpired)
    try lease.renew(frames: 1, framesPerSecond: 1)
    #expect(try !farm.folder.removeClaim(0, where: seen.isUnchanged))
    #expect(farm.folder.claim(0)?.token == lease.token && farm.names("claims") == ["0"])
    let now = try #require(farm.folder.claim(0))
    #expect(try farm.folder.removeClaim(0, where: now.isUnchanged))
    #expect(farm.names("claims").isEmpty)
  }

  /// A machine that loses its claim without having looked.
  @Test func aReleaseSparesTheClaimOfAnother() throws {
    let farm = try FarmFixture()
    let lease = try #require(try take(0, farm))
    farm.age(farm.claimPath(0), 100)
    let other = try #require(try take(0, farm, by: FarmFixture.machine("n2")))
    lease.release()
    #expect(farm.folder.claim(0)?.token == other.token)
  }

  @Test(arguments: [
    (Optional("12_3"), Optional("12_3/1"), true), ("12_3/1", "12_3/2", true), ("12_3/2", "12_3/1", false),
    ("12_3", "12_3", false), ("12_3", "12_4/1", false), ("12_3", nil, false), (nil, "12_3/1", false),
  ])
  func aRestartedJobTakesItsClaim(_ old: String?, _ new: String?, _ isTaken: Bool) throws {
    let farm = try FarmFixture()
    try farm.foreignClaim(0, job: old)
    let lease = try take(0, farm, by: FarmFixture.machine("n2", job: new))
    #expect((lease != nil) == isTaken)
  }

  /// The claim of a process that was killed, and those of whom nothing is certain.
  @Test(arguments: ["", "host", "boot", "namespace"])
  func aDeadProcessOfThisHostIsKnown(_ difference: String) throws {
    let farm = try FarmFixture()
    _ = try take(0, farm)
    func edit(_ change: (inout [String: Any]) -> Void) throws {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: farm.claimPath(0)))
      var content = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      var process = try #require(content["process"] as? [String: Any])
      change(&process)
      content["process"] = process
      try JSONSerialization.data(withJSONObject: content).write(to: URL(fileURLWithPath: farm.claimPath(0)))
    }
    // The id is taken by another process, which began at another time.
    try edit { process in
      process["start"] = 1
      if !difference.isEmpty { process[difference] = "elsewhere" }
    }
    #expect((try take(0, farm) != nil) == difference.isEmpty)
  }

  @Test(arguments: ["", "{", "[]", "{\"token\":7}", String(repeating: "[", count: 60_000), "\u{0}\u{1}"])
  func aDamagedClaimHoldsUntilItExpires(_ text: String) throws {
    let farm = try FarmFixture()
    try farm.write(text, farm.claimPath(0))
    #expect(try take(0, farm) == nil)
    #expect(farm.folder.claim(0)?.machine == nil)
    farm.age(farm.claimPath(0), 100)
    #expect(try take(0, farm) != nil)
  }

  @Test func hostileClaims() throws {
    let farm = try FarmFixture()
    try farm.write(
      """
      {"token":"x","machine":{"host":"h","process":-5},"duration":1e300,"frames":-9223372036854775808,\
      "framesPerSecond":1e308,"process":{"host":"h","boot":"","namespace":"","process":-1,"start":18446744073709551615}}
      """, farm.claimPath(0))
    let claim = try #require(farm.folder.claim(0))
    #expect(claim.frames == 0 && claim.framesPerSecond == 0 && claim.duration == 86_400)
    // A folder, a link to nothing, and a pipe in the place of a claim.
    unsafe mkdir(farm.claimPath(1), 0o777)
    unsafe symlink("nowhere", farm.claimPath(2))
    unsafe mkfifo(farm.claimPath(3), 0o666)
    for number in 1...3 { #expect(try take(number, farm) == nil) }
    farm.age(farm.claimPath(1), 100)
    farm.age(farm.claimPath(3), 100)
    #expect(try take(1, farm) != nil)
    #expect(try take(3, farm) != nil)
  }

  /// Threads stand for machines: nothing is shared but the folder.
  @Test func oneOfManyGetsAClaim() throws {
    let farm = try FarmFixture()
    for isExpired in [false, true] {
      for number in 0..<40 {
        let number = isExpired ? number + 100 : number
        if isExpired { try farm.foreignClaim(number, age: 1000) }
        let leases = Mutex<[Lease]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { index in
          let machine = FarmFixture.machine("n\(index)")
          if let lease = try? Lease.take(number, in: farm.folder, by: machine) { leases.withLock { $0.append(lease) } }
        }
        let taken = leases.withLock { $0 }
        #expect(!taken.isEmpty)
        for lease in taken { try lease.renew(frames: 0, framesPerSecond: 0) }
        #expect(taken.count { !$0.isLost } == 1)
        if !isExpired { #expect(taken.count == 1) }
      }
    }
    #expect(farm.names("claims").allSatisfy { Int($0) != nil })
  }

  @Test func machinesOfSlurm() {
    func machine(_ environment: [String: String]) -> Machine {
      Machine(environment: environment, host: "h", process: 5)
    }
    #expect(machine([:]) == Machine(host: "h", process: 5))
    #expect(machine(["SLURMD_NODENAME": "n9"]).host == "h")
    #expect(machine(["SLURM_JOB_ID": "4", "SLURMD_NODENAME": "n9"]) == Machine(host: "n9", process: 5, job: "4"))
    let task = ["SLURM_JOB_ID": "15", "SLURM_ARRAY_JOB_ID": "12", "SLURM_ARRAY_TASK_ID": "3"]
    #expect(machine(task).job == "12_3")
    #expect(machine(task.merging(["SLURM_RESTART_COUNT": "2"]) { $1 }).job == "12_3/2")
    #expect(Machine.current.process == Int(getpid()) && !Machine.current.host.isEmpty)
  }
}
