import Farm
import Foundation
import Testing

/// What is written for Slurm and for shells: numbers of arrays, quotes, options, scripts.
@Suite struct SlurmTextTests {
  @Test func rangesAreShort() {
    #expect(ArraySpecification.text(of: []) == "")
    #expect(ArraySpecification.text(of: [5]) == "5")
    #expect(ArraySpecification.text(of: [0, 1, 2, 3, 7, 9, 10]) == "0-3,7,9-10")
    #expect(ArraySpecification.arrays(of: [9, 7, 0, 1, 1, 2, 3], size: 1001, limit: 8).map(\.text) == ["0-3,7,9%8"])
  }

  @Test(arguments: ["0-3,7,9-199", "", "5", "0"]) func rangesAreReadBack(_ text: String) throws {
    #expect(ArraySpecification.text(of: try #require(ArraySpecification.numbers(of: text))) == text)
  }

  @Test(arguments: ["-", "1-", "-3", "3-1", "a", "1,,2", "1-2-3", "0-999999999999", "0-1999999,0-1999999", "1 "])
  func damagedRangesAreNone(_ text: String) { #expect(ArraySpecification.numbers(of: text) == nil) }

  @Test func numbersBeyondTheLimitHaveAnOffset() {
    let arrays = ArraySpecification.arrays(of: Array(0..<25), size: 10)
    #expect(arrays.map(\.text) == ["0-9", "0-9", "0-4"])
    #expect(arrays.map(\.offset) == [0, 10, 20])
    #expect(arrays.flatMap(\.numbers) == Array(0..<25))
  }

  @Test func anArrayHasNoMoreTasksThanItMay() {
    let arrays = ArraySpecification.arrays(of: Array(0..<10), size: 1001, tasks: 4)
    #expect(arrays.flatMap(\.numbers) == Array(0..<10))
    #expect(arrays.allSatisfy { $0.numbers.count <= 4 })
  }

  @Test func aLongListIsDivided() {
    let numbers = Array(stride(from: 1, to: 60_000, by: 2))
    let arrays = ArraySpecification.arrays(of: numbers, size: 100_001, limit: 1_000)
    #expect(arrays.flatMap(\.numbers) == numbers)
    #expect(arrays.allSatisfy { $0.text.utf8.count <= 4000 })
    #expect(arrays.allSatisfy { $0.text.hasSuffix("%1000") })
    // As few as there can be, or twice as many.
    let bytes = ArraySpecification.text(of: numbers).utf8.count
    #expect(arrays.count <= 2 * (bytes / 4000 + 1))
  }

  static let words = ["", "a", "a b", "it's", "''", #"a\b"#, "\"", "$HOME `id` *", "a\nb", "-x", "é 映画", "%A"]

  @Test(arguments: words) func aShellReadsWhatWasQuoted(_ word: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "printf %s " + ShellWords.quoted(word)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == word)
    #expect(ShellWords.words(of: ShellWords.quoted(word)) == [word])
  }

  @Test func wordsAreThoseOfAShell() {
    #expect(
      ShellWords.words(of: #"  --mem=8G -p  "a b"'c' d\ e "x\"y\z" "#) == ["--mem=8G", "-p", "a bc", "d e", #"x"y\z"#])
    #expect(ShellWords.words(of: "--comment='") == nil)
    #expect(ShellWords.words(of: #"a\"#) == nil)
  }

  @Test func optionsOfTheUserAreUnderstood() throws {
    let options = try SlurmOptions("--mem-per-cpu=2G -c 4 -p fast,slow --comment 'a b'")
    #expect(options.setMemory && options.setProcessors)
    #expect(options.partitions == ["fast", "slow"])
    let others = try SlurmOptions("--time=1:00:00 --partition=gpu -A film")
    #expect(!others.setMemory && !others.setProcessors)
    #expect(others.partitions == ["gpu"])
    #expect(try SlurmOptions("-pgpu").partitions == ["gpu"])
    #expect(try SlurmOptions("").partitions == nil)
    #expect(try SlurmOptions("-n4").setProcessors)
  }

  @Test(arguments: [
    "--array=1-2", "-a 3", "--wrap 'true'", "-d afterok:1", "--chdir=/", "x", "--mem=1G x", "--", "'", "-W",
  ])
  func optionsThatWouldChangeWhatIsSubmittedAreRefused(_ text: String) {
    let error = #expect(throws: SlurmError.self) { try SlurmOptions(text) }
    guard case .invalidOptions(text, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func resourcesFollowFromWhatAPieceTook() throws {
    let cost = PieceCost(peakMemory: 1000 << 20, seconds: 10, processorSeconds: 31)
    let resources = SlurmResources(cost)
    #expect(resources.memory == 1506 && resources.processors == 4)
    let none = try SlurmOptions("")
    var configuration = SlurmConfiguration()
    #expect(resources.words(besides: none, in: configuration) == ["--cpus-per-task=4"])
    configuration.countsMemory = true
    #expect(resources.words(besides: none, in: configuration) == ["--mem=1506M", "--cpus-per-task=4"])
    #expect(resources.words(besides: try SlurmOptions("--mem=1G -c1"), in: configuration) == [])
    let small = resources.atLeast(memory: 4000, within: LargestNode(processors: 2, memory: 3000))
    #expect(small.memory == 3000 && small.processors == 2)
    #expect(resources.atLeast(memory: 4000, within: nil).memory == 4000)
  }

  @Test(arguments: [
    PieceCost(peakMemory: -5, seconds: 0, processorSeconds: 0),
    PieceCost(peakMemory: .max, seconds: 0, processorSeconds: 9),
    PieceCost(peakMemory: 1, seconds: .nan, processorSeconds: -1),
  ])
  func oddMeasurementsAskForSomething(_ cost: PieceCost) {
    let resources = SlurmResources(cost)
    #expect((1...4096).contains(resources.processors ?? 0) && (resources.memory ?? 0) >= 256)
  }

  @Test func scriptsSurviveAnyPath() throws {
    let folder = "/films/it's \"100%\"\n$HOME"
    let scripts = SlurmScripts(program: "/bin/echo", folder: folder, film: "a\nrm -r x")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", scripts.piece, "piece.sh", "1000"]
    process.environment = ["SLURM_ARRAY_TASK_ID": "7"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(said == "chunk \(folder) 1007\n")
    #expect(scripts.output("piece-%A_%a.log") == "/films/it's \"100%%\"\n$HOME/slurm/log/piece-%A_%a.log")
    // sbatch takes backslashes out of a path.
    let odd = SlurmScripts(program: "/bin/echo", folder: #"/a\b"#, film: "film")
    #expect(odd.output("x") == "/dev/null" && odd.piece.contains(#"exec >>'/a\b'/slurm/log/"#))
  }

  @Test func theSecondScriptTriesAgainWhatMaySucceedLater() {
    let scripts = SlurmScripts(program: "/bin/headroom", folder: "/film", film: "film")
    #expect(scripts.assembly.contains("'/bin/headroom' assemble '/film' --continue\n"))
    #expect(scripts.assembly.contains("-eq 75"))
  }

  @Test func namesBelongToOneFolder() {
    let names = SlurmNames(film: "my film | \n/é", folder: "/a")
    #expect(names.common.hasPrefix("my-film-----é-"))
    #expect(names.common != SlurmNames(film: "my film | \n/é", folder: "/b").common)
    #expect(names.offset(of: names.pieces(offset: 0)) == 0)
    #expect(names.offset(of: names.pieces(offset: 1001)) == 1001)
    for other in [names.assembly, names.pieces(offset: 0) + "+", names.pieces(offset: 0) + "+-4", "x", ""] {
      #expect(names.offset(of: other) == nil)
    }
    #expect(SlurmNames(film: String(repeating: "x", count: 900), folder: "/a").common.count == 57)
  }

  @Test func whatAJobHasIsNotPassedOn() {
    for variable in ["SLURM_ARRAY_TASK_ID=3", "SQUEUE_FORMAT=x", "SBATCH_ARRAY_INX=1-9", "SLURM_MEM_PER_CPU=1"] {
      #expect(!SlurmEnvironment.isPassedOn(variable))
    }
    for variable in ["SLURM_CONF=/etc/x", "PATH=/bin", "SBATCH_PARTITION=fast", "HOME"] {
      #expect(SlurmEnvironment.isPassedOn(variable))
    }
  }
}
