internal import Files
internal import Glibc

/// The environment for Slurm's programs.
package enum SlurmEnvironment {
  /// The environment of this process without the variables of its own job, which a submitted job would inherit, and
  /// without the user's output preferences for Slurm's programs.
  package static var current: [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      variables.append(unsafe String(systemName: variable))
      unsafe next += 1
    }
    return variables.filter(isPassedOn)
  }

  /// Variables that locate the cluster.
  private static let kept: Set<Substring> = ["SLURM_CONF", "SLURM_CONF_SERVER", "SLURM_JWT"]
  /// sbatch defaults that would change the meaning of a submission.
  private static let dropped: Set<Substring> = ["SBATCH_ARRAY_INX", "SBATCH_WAIT", "SBATCH_CLUSTERS"]
  private static let prefixes = ["SLURM_", "SLURMD_", "SQUEUE_", "SACCT_", "SINFO_", "SCANCEL_", "SCONTROL_"]

  package static func isPassedOn(_ variable: String) -> Bool {
    let name = variable.prefix { $0 != "=" }
    return kept.contains(name) || !(dropped.contains(name) || prefixes.contains(where: name.hasPrefix))
  }
}
