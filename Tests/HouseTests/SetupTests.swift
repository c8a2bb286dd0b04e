import Foundation
import Testing

/// What tools and tests start and import is what `tools/setup` installs. A machine that has it from elsewhere proves nothing.
@Suite struct SetupTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private struct File {
    let path: String
    let text: String
    var firstLine: Substring { text.prefix { $0 != "\n" } }
    var isShell: Bool { firstLine.hasPrefix("#!") && firstLine.hasSuffix("bash") }
    var isPython: Bool { path.hasSuffix(".py") || firstLine.hasPrefix("#!") && firstLine.contains("python3") }
    /// It needs packages that Debian does not have and that its first lines name: it runs in a virtual environment.
    var isForPip: Bool { text.contains("Requirements (pip install)") }

    /// Lines without comments.
    var lines: [Substring] {
      text.split(separator: "\n").filter { line in
        let words = line.drop { $0 == " " }
        return !words.hasPrefix("#") && !words.hasPrefix("//")
      }
    }

    /// A tool may need what few use, if it names the package.
    func isToInstall(_ package: String) -> Bool {
      SetupTests.installed.contains(package) || text.contains("apt-get") && text.contains(package)
    }
  }

  private static let files = ["tools", "Tests", "Sources"].flatMap { folder in
    let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap {
      $0 as? String
    }
    return (names ?? []).sorted().compactMap { name -> File? in
      let path = "\(folder)/\(name)"
      // Twins of a folder of kernels, and the guest of a virtual machine.
      guard !path.hasPrefix("Sources/RowKernelsAVX"), path != "tools/vm/init",
        let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      else { return nil }
      return File(path: path, text: text)
    }
  }

  /// Packages of the list in `tools/setup`.
  private static let installed = Set(
    matches(#"(?m)^  "([a-z0-9.+-]+): "#, in: files.first { $0.path == "tools/setup" }?.text ?? "").map {
      String($0[1])
    })

  private static func matches(_ pattern: String, in text: String) -> [[Substring]] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
      (0..<match.numberOfRanges).map { Range(match.range(at: $0), in: text).map { text[$0] } ?? "" }
    }
  }

  // MARK: - Python

  @Test func pythonImportsAreInstalled() throws {
    let python = Process()
    let output = Pipe()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    python.arguments = ["-c", "import sys; print(*sys.stdlib_module_names)"]
    python.standardOutput = output
    try python.run()
    let standard = Set(
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split { $0.isWhitespace })
    let own = Set(Self.files.filter(\.isPython).flatMap { $0.path.split { "/.".contains($0) } })
    var count = 0
    for file in Self.files where (file.isPython || file.path.hasPrefix("Tests/")) && !file.isForPip {
      // In column 0 of Swift code stand its own imports.
      let pattern =
        file.isPython ? #"^ *(?:import|from) ([a-z_][a-z0-9_, ]*)"# : #"^ +(?:import|from) ([a-z_][a-z0-9_, ]*)"#
      for line in file.lines where line.contains("import ") {
        for match in Self.matches(pattern, in: String(line)) {
          let isList = !line.contains("from ")
          for name in isList ? match[1].split(separator: ",") : [match[1]] {
            let module = name.split(separator: " ")[0]
            count += 1
            guard !standard.contains(module), !own.contains(module) else { continue }
            let isToInstall = file.isToInstall("python3-\(module)")
            #expect(isToInstall, "\(file.path) imports \(module)")
          }
        }
      }
    }
    #expect(count > 200)
  }

  /// Packages are the system's, so its Python runs what needs them.
  @Test func toolsRunInTheSystemsPython() {
    for file in Self.files where file.isPython && file.firstLine.hasPrefix("#!") {
      #expect(file.firstLine == (file.isForPip ? "#!/usr/bin/env python3" : "#!/usr/bin/python3"), "\(file.path)")
    }
  }

  // MARK: - Programs

  @Test func programsAreInstalled() {
    var count = 0
    for file in Self.files where file.path != "tools/setup" {
      for program in Self.programs(of: file) where !Self.everywhere.contains(program) && !Self.verbs.contains(program) {
        count += 1
        guard let package = Self.packages[program] else {
          Issue.record("\(file.path) starts \(program): which package has it?")
          continue
        }
        let isToInstall = file.isToInstall(package)
        #expect(isToInstall, "\(file.path) starts \(program)")
      }
    }
    #expect(count > 40)
  }

  /// Programs of packages that every Debian has, or Swift needs.
  private static let everywhere = Set(
    """
    apt-cache apt-get awk basename bash cat cc chmod chroot clang cmp cp cut date dd diff dirname dmesg dpkg-deb env find git grep
    head hostname id ln ls mkdir mkfifo mktemp mount mountpoint mv nice nsenter od paste readlink realpath rm sed seq setpriv setsid sh
    sleep sort stat swift swiftc sync tail tee timeout touch tr umount uname uniq unshare wc xargs
    """.split { $0.isWhitespace }.map(String.init))

  private static let packages = [
    "Xvfb": "xvfb", "debootstrap": "debootstrap", "edid-decode": "edid-decode", "faketime": "faketime",
    "ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "import": "imagemagick", "make": "make", "munge": "munge",
    "munged": "munge", "nm": "binutils", "objdump": "binutils", "openssl": "openssl", "pkg-config": "pkg-config",
    "sbatch": "slurm-client", "scancel": "slurm-client", "scontrol": "slurm-client", "sinfo": "slurm-client",
    "sixel2png": "libsixel-bin", "slurmctld": "slurmctld", "slurmd": "slurmd", "squeue": "slurm-client",
    "strace": "strace", "weston": "weston", "xdotool": "xdotool", "xz": "xz-utils",
  ]

  /// Ours, which tools give to `headroom`.
  private static let verbs = Set(
    files.filter { $0.path.hasPrefix("Sources/headroom/") }
      .flatMap { matches(#"commandName: "([a-z-]+)""#, in: $0.text) }.map { String($0[1]) })

  private static func programs(of file: File) -> Set<String> {
    if file.isShell { return commands(of: file.text) }
    let code = file.lines.joined(separator: "\n")
    if file.isPython {
      return Set(
        matches(#"(?:(?:subprocess\.\w+\(\[|which\()\s*|= \[(?=[^\]]*"-))"(?!lib)([A-Za-z][\w.+-]*)""#, in: code).map {
          String($0[1])
        })
    }
    guard file.path.hasSuffix(".swift") else { return [] }
    let start = #"(?:Tool\(name: |output\(of: |MeasuredProcess\(program: |start\(\s*)"([A-Za-z][\w.+-]*)""#
    let scripts = matches(#"shell\(\s*"((?:[^"\\]|\\.)*)"#, in: code).map { commands(of: "\($0[1])") }
    return scripts.reduce(into: Set(matches(start, in: code).map { String($0[1]) })) { $0.formUnion($1) }
  }

  /// Programs that a script starts: words where a command begins, without the shell's own and the script's functions.
  private static func commands(of script: String) -> Set<String> {
    let functions = Set(matches(#"(?m)^ *([\w-]+)\(\)"#, in: script).map { String($0[1]) })
    var text = script
    for (pattern, new) in [
      // Here documents, arithmetic, values.
      (#"(?s)<<-?'?(\w+)'?.*?\n\s*\1\b"#, "\n"), (#"\(\(.*?\)\)|\$\{[^}]*\}|\\\([^)]*\)+"#, "_"), (#"\\\n"#, " "),
    ] {
      text = text.replacingOccurrences(of: pattern, with: new, options: .regularExpression)
    }
    text = unquoted(text)
    for (pattern, new) in [
      // Arrays, lists of loops, labels of cases; where a command begins.
      (#"\w+\+?=\([^)]*\)"#, ""), (#"\bfor [^;\n]*"#, ""), (#"(?m)^ *(?:[^\s()]+ \| )*[^\s()]+\)(?!\S)"#, ""),
      (#"[|;&\n()`{}]|\b(?:then|do|else|if|elif|while|until)\s|!\s"#, "\n"),
    ] {
      text = text.replacingOccurrences(of: pattern, with: new, options: .regularExpression)
    }
    return text.split(separator: "\n").reduce(into: []) { found, line in
      let word = line.split(separator: " ").first { word in
        !wrappers.contains(String(word)) && (!word.contains("=") || word.hasPrefix("="))
          && !"-<>0123456789".contains(word.first!)
      }
      guard let word = word.map(String.init), word.wholeMatch(of: /[A-Za-z][\w.+\-]*/) != nil else { return }
      if !shellWords.contains(word), !functions.contains(word) { found.insert(word) }
    }
  }

  /// A script without its comments and quoted text, but with the commands in that.
  private static func unquoted(_ script: String) -> String {
    var (text, open, isEscaped) = ("\n", [Character](), false)
    var rest = Substring(script)
    while let next = rest.popFirst() {
      switch (open.last, next) {
      case _ where isEscaped: isEscaped = false
      case ("'", "'"), ("\"", "\""), ("(", ")"): text.append(open.removeLast() == "(" ? ")" : "_")
      case ("'", _): break
      case (_, "\\"): isEscaped = true
      case (_, "$") where rest.first == "(", ("(", "("), (nil, "("):
        if next == "$" { rest.removeFirst() }
        open.append("(")
        text.append("(")
      case ("\"", _): break
      case (_, "\""), (_, "'"): open.append(next)
      case (_, "#") where text.last!.isWhitespace: rest = rest.drop { $0 != "\n" }
      default: text.append(next)
      }
    }
    return text
  }

  private static let wrappers: Set<String> = [
    "command", "env", "exec", "KILL", "nice", "quietly", "sudo", "time", "timeout", "xargs",
  ]

  private static let shellWords = Set(
    """
    break case cd continue declare done echo esac eval exit export fi for hash in kill local mapfile printf pwd read return
    select set shift source test trap true false type ulimit umask unset wait
    """.split { $0.isWhitespace }.map(String.init))
}
