internal import Files
internal import Glibc

/// The variables that Slurm's programs are run with.
package enum SlurmEnvironment {
  /// Those of this process without what a job has of its own, which a job that it submits would inherit, and without a user's
  /// preferences for the programs' output.
  package static var current: [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      variables.append(unsafe String(systemName: variable))
      unsafe next += 1
    }
    return variables.filter(isPassedOn)
  }

  /// What says where the cluster is.
  private static let kept: Set<Substring> = ["SLURM_CONF", "SLURM_CONF_SERVER", "SLURM_JWT"]
  /// Defaults of sbatch that would make something else of a submission.
  private static let dropped: Set<Substring> = ["SBATCH_ARRAY_INX", "SBATCH_WAIT", "SBATCH_CLUSTERS"]
  private static let prefixes = ["SLURM_", "SLURMD_", "SQUEUE_", "SACCT_", "SINFO_", "SCANCEL_", "SCONTROL_"]

  package static func isPassedOn(_ variable: String) -> Bool {
    let name = variable.prefix { $0 != "=" }
    return kept.contains(name) || !(dropped.contains(name) || prefixes.contains(where: name.hasPrefix))
  }
}
