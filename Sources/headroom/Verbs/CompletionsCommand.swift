internal import ArgumentParser

/// `headroom completions SHELL`
struct CompletionsCommand: ParsableCommand {
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print a completion script for a shell.",
    discussion: """
      bash: headroom completions bash > ~/.local/share/bash-completion/completions/headroom
      zsh:  headroom completions zsh > FOLDER/_headroom, with a FOLDER in $fpath
      fish: headroom completions fish > ~/.config/fish/completions/headroom.fish
      """)

  @Argument(help: "Shell to complete for.")
  var shell: Shell

  func run() throws {
    let script: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    try Console.result(Headroom.completionScript(for: script))
  }
}
