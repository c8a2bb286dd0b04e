/// Translates Slurm's job states to words that complete "chunk 3 ...".
package enum SlurmWords {
  /// Returns why a job waits.
  /// - Parameter reason: Slurm's name for it, such as "Resources".
  package static func waiting(_ reason: String) -> String? {
    switch reason {
    case "", "None", "(null)": nil
    case "Resources": "waits for a free machine"
    case "Priority": "waits for jobs that come first"
    case "Dependency": "waits for another job"
    case "DependencyNeverSatisfied": "waits for a job that will never end as it should"
    case "JobArrayTaskLimit": "waits because as many run as may run at once"
    case "BeginTime": "waits before it is run again"
    case "JobHeldUser": "is held by its user"
    case "JobHeldAdmin": "is held by an administrator"
    case "PartitionDown", "PartitionInactive": "waits because its partition takes no jobs"
    case "launch_failed_requeued_held": "is held because it could not be started"
    default:
      if reason.hasPrefix("ReqNodeNotAvail") {
        "waits for machines that are down or reserved"
      } else if reason.hasPrefix("Assoc") || reason.hasPrefix("QOS") {
        "waits because of a limit of the cluster (\(printable(reason)))"
      } else {
        "waits (\(printable(reason)))"
      }
    }
  }

  /// Returns how a job ended.
  /// - Parameters:
  ///   - state: Slurm's name for it, such as "NODE_FAIL".
  ///   - exit: Exit status and signal, such as "1:0".
  /// - Returns: nil if it succeeded.
  package static func ended(_ state: String, exit: String) -> String? {
    let parts = exit.split(separator: ":").map { Int($0) }
    let (status, signal) = (parts.first.flatMap(\.self) ?? 0, parts.dropFirst().first.flatMap(\.self) ?? 0)
    return switch state {
    case "COMPLETED": nil
    case "NODE_FAIL": "was lost because its node failed"
    case "BOOT_FAIL": "was lost because its node did not start"
    case "OUT_OF_MEMORY": "ran out of memory"
    case "TIMEOUT": "ran out of time"
    case "DEADLINE": "was not finished by its deadline"
    case "PREEMPTED": "had to give way to other jobs"
    case "CANCELLED": "was cancelled"
    // Slurm's own code, ESLURMD_... of slurm_errno.h, in place of a signal.
    case "FAILED" where signal == 53: "could not be started: its node may not see the work folder"
    case "FAILED" where signal > 0: "was killed by signal \(signal)"
    // A shell's exit status for a signal.
    case "FAILED" where status > 128 && status <= 192: "was killed by signal \(status - 128)"
    case "FAILED" where status > 0: "ended with exit status \(status)"
    case "FAILED": "failed"
    default: "ended (\(printable(state)))"
    }
  }

  /// Returns a cluster's free text as a single line of limited length.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(120))
  }
}
