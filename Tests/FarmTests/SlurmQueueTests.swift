import Farm
import Testing

/// What is read out of the answers of Slurm's programs, as they are and as they should not be.
@Suite struct SlurmQueueTests {
  static let arrays = [SlurmArray(job: "12"), SlurmArray(job: "13", offset: 1000)]

  @Test func tasksThatWaitAndRun() {
    let lines = [
      "12|0|RUNNING|n1|None", "12|1|PENDING|n/a|Resources", "13|4|COMPLETING|n2|None", "12|2|PENDING||a|b|c",
    ]
    #expect(
      Slurm.live(lines, of: Self.arrays) == [
        QueueEntry(number: 0, job: "12_0", state: "RUNNING", node: "n1"),
        QueueEntry(number: 1, job: "12_1", state: "PENDING", reason: "waits for a free machine"),
        QueueEntry(number: 1004, job: "13_4", state: "COMPLETING", node: "n2"),
        QueueEntry(number: 2, job: "12_2", state: "PENDING", reason: "waits (a|b|c)"),
      ])
  }

  @Test(arguments: [
    "", "|", "||||", "12", "12|x|RUNNING|n1|None", "12|1-4%2|PENDING|n/a|None", "12|-1|RUNNING|n1|", "99|1|RUNNING|n1|",
    "13|9223372036854775807|RUNNING|n1|", "slurm_load_jobs error: x", "12|N/A|RUNNING|n1|None", "\u{0}|\u{FFFD}|a|b|c",
  ])
  func oddLinesArePassedOver(_ line: String) {
    #expect(Slurm.live([line, "12|3|RUNNING|n1|None"], of: Self.arrays).map(\.number) == [3])
  }

  @Test func tasksOfTheDatabase() {
    let lines = [
      "12_0|COMPLETED|0:0|n1", "12_1|CANCELLED by 1000|0:15|None assigned", "12_2|OUT_OF_MEMORY|0:125|n1",
      "12_[5-9]|PENDING|0:0|",
      "12_3|RUNNING|0:0|n1", "12_4.batch|FAILED|1:0|n1", "13_0|FAILED|0:9|n2", "12|FAILED|1:0|n1", "x", "",
      "12_|FAILED|1:0|n1",
      "12_6|NODE_FAIL|0:0|n2",
    ]
    #expect(
      Slurm.accounted(lines, of: Self.arrays) == [
        QueueEntry(number: 0, job: "12_0", state: "COMPLETED", node: "n1"),
        QueueEntry(number: 1, job: "12_1", state: "CANCELLED", reason: "was cancelled"),
        QueueEntry(number: 2, job: "12_2", state: "OUT_OF_MEMORY", node: "n1", reason: "ran out of memory"),
        QueueEntry(number: 1000, job: "13_0", state: "FAILED", node: "n2", reason: "was killed by signal 9"),
        QueueEntry(number: 6, job: "12_6", state: "NODE_FAIL", node: "n2", reason: "was lost because its node failed"),
      ])
  }

  /// As Slurm 22.05 writes it.
  static let shown = """
    JobId=12 ArrayJobId=12 ArrayTaskId=2-7%6 ArrayTaskThrottle=6 JobName=film
       JobState=PENDING Reason=Resources Dependency=(null)
       Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0
       Command=/tmp/t 1/slurm/piece.sh 1000
    JobId=4 ArrayJobId=12 ArrayTaskId=1 JobName=x ArrayTaskId=9 JobState=COMPLETED ExitCode
       UserId=root(0) GroupId=root(0) MCS_label=N/A
       JobState=FAILED Reason=JobLaunchFailure Dependency=(null)
       Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:9
       BatchHost=n2
       Comment=BatchHost=n9 ExitCode=7:0 = ==
    JobId=5 ArrayJobId=12 ArrayTaskId=0 JobName=film
       JobState=TIMEOUT Reason=TimeLimit Dependency=(null)
       BatchHost=n1 ExitCode=0:0
    JobId=6 ArrayJobId=12 ArrayTaskId=99999999999999999999 JobName=film
       JobState=FAILED
    JobId=7 JobName=alone
       JobState=FAILED
    """

  @Test func tasksOfTheController() {
    // A job's name could make its state a word of its own: the name comes first.
    let lines = ["noise", "   JobState=FAILED"] + Self.shown.split(separator: "\n").map(String.init)
    let entries = Slurm.shown(lines, of: SlurmArray(job: "12", offset: 50))
    #expect(
      entries == [
        QueueEntry(number: 51, job: "12_1", state: "FAILED", node: "n2", reason: "was killed by signal 9"),
        QueueEntry(number: 50, job: "12_0", state: "TIMEOUT", node: "n1", reason: "ran out of time"),
      ])
  }

  @Test(
    arguments: [
      ("COMPLETED", "0:0", nil), ("FAILED", "3:0", "ended with exit status 3"),
      ("FAILED", "137:0", "was killed by signal 9"),
      ("FAILED", "", "failed"), ("FAILED", "x:y:z", "failed"), ("PREEMPTED", "0:0", "had to give way to other jobs"),
      ("FAILED", "0:53", "could not be started: its node may not see the work folder"), ("A\nB", "", "ended (A B)"),
    ] as [(String, String, String?)])
  func endsInWords(_ state: String, _ exit: String, _ words: String?) {
    #expect(SlurmWords.ended(state, exit: exit) == words)
  }

  @Test func configurationIsRead() {
    let lines = [
      "Configuration data as of 2026-11-25T01:45:18", "MaxArraySize            = 10001",
      "SelectTypeParameters    = CR_CORE_MEMORY",
      "AccountingStorageType   = accounting_storage/slurmdbd", "SchedulerParameters     = bf_x,max_array_tasks=500",
      "=", "",
    ]
    let configuration = SlurmConfiguration(lines)
    #expect(configuration.maximumArraySize == 10_001 && configuration.maximumArrayTasks == 500)
    #expect(configuration.countsMemory && configuration.hasAccounting)
    let other = SlurmConfiguration([
      "MaxArraySize = -4", "SelectTypeParameters = CR_CORE", "AccountingStorageType = accounting_storage/none",
    ])
    #expect(other.maximumArraySize == 0 && !other.countsMemory && !other.hasAccounting)
    #expect(SlurmConfiguration(["MaxArraySize = many"]) == SlurmConfiguration())
  }

  @Test func theLargestNodeOfAPartition() {
    let lines = ["main*|8|16000", "main*|64+|8000+", "gpu|128|512000", "odd", "main*|x|1", "main*|4|-1"]
    #expect(LargestNode(lines, partitions: nil) == LargestNode(processors: 64, memory: 16_000))
    #expect(LargestNode(lines, partitions: ["gpu"]) == LargestNode(processors: 128, memory: 512_000))
    #expect(LargestNode(lines, partitions: ["none"]) == nil)
    #expect(LargestNode([], partitions: nil) == nil)
  }
}
