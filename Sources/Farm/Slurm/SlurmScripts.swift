internal import Files

/// The scripts of a work folder's jobs.
package struct SlurmScripts: Sendable {
  /// Absolute paths.
  let program: String
  let folder: String
  let film: String

  package init(program: String, folder: String, film: String) {
    (self.program, self.folder, self.film) = (program, folder, film)
  }

  /// The film's name on a single line, for a comment.
  private var title: String {
    String(film.printable.map { $0.isNewline || $0 == "\0" ? " " : $0 })
  }

  private var quotedProgram: String { ShellWords.quoted(program) }
  private var quotedFolder: String { ShellWords.quoted(folder) }

  /// A path with backslashes, which sbatch would remove: the script redirects its own output instead.
  private var needsRedirection: Bool { folder.contains("\\") }

  private func redirection(_ log: String) -> String {
    needsRedirection ? "exec >>\(quotedFolder)/slurm/log/\(log) 2>&1\n" : ""
  }

  /// - Parameter log: A name with sbatch's placeholders, such as "piece-%A_%a.log".
  package func output(_ log: String) -> String {
    if needsRedirection { return "/dev/null" }
    return folder.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") + "/slurm/log/" + log
  }

  /// The script that renders a chunk.
  package var piece: String {
    """
    #!/bin/sh
    # Renders one chunk of "\(title)", as a task of a job array.
    # This file is written again with every submission.
    # $1: what is added to the number of the task to get that of the chunk; Slurm numbers tasks up to a limit.
    \(redirection(#"piece-"$SLURM_ARRAY_JOB_ID"_"$SLURM_ARRAY_TASK_ID".log"#))\
    exec \(quotedProgram) chunk \(quotedFolder) "$((SLURM_ARRAY_TASK_ID + $1))"

    """
  }

  /// The script that checks for missing pieces once all chunks have ended.
  package var assembly: String {
    """
    #!/bin/sh
    # Runs when the chunks of "\(title)" have ended, however they did: submits those that are missing again, with
    # another job like this one, or assembles the film.
    # This file is written again with every submission.
    \(redirection(#"assemble-"$SLURM_JOB_ID".log"#))\
    # Exit status 75: something was missing for the moment, such as an answer of Slurm's controller.
    for pause in 0 30 120 600; do
      sleep "$pause"
      \(quotedProgram) assemble \(quotedFolder) --continue
      status=$?
      [ "$status" -eq 75 ] || break
    done
    exit "$status"

    """
  }
}

/// Quotes and parses words of a POSIX shell.
package enum ShellWords {
  /// Quotes a word, so that a shell reads it literally.
  package static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// Returns a word as a user would write it: quoted only if it has characters that a shell could interpret.
  package static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+=:,@".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }

  /// Splits text with single quotes, double quotes and backslashes into words, without expansion.
  /// - Returns: nil if a quote is unterminated, or the text ends with a backslash.
  package static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        // Within double quotes, a backslash escapes only special characters.
        let isPlain = quote == "\"" && !["\"", "\\", "$", "`"].contains(character)
        word = (word ?? "") + (isPlain ? "\\" : "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil && !isEscaped ? words : nil
  }
}
