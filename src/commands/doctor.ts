import {Command} from '@oclif/core/command'
import {cacheDirFlag} from '../cli/cache/cache-flags.js'
import {clusterFlags, installFlags} from '../cli/cluster/cluster-flags.js'
import {commonFlags} from '../cli/shell/flags/common-flags.js'
import {indexFlags} from '../cli/sources/index-flags.js'
import {reportOutputFlag} from '../cli/shell/flags/output-flags.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../cli/registry/registry-flags.js'
import {FOUND} from '../cli/shell/exit-code.js'
import {declaredSources, doctorQuery} from '../cli/doctor/doctor-query.js'
import {painter} from '../cli/shell/text/paint.js'
import {progress} from '../cli/shell/progress/progress.js'
import {formatDocument, show} from '../cli/shell/document/show.js'
import {checksDocument, checksOn, formatChecks} from '../cli/doctor/show-checks.js'
import {doctorPorts} from '../cli/doctor/doctor-ports.js'
import {foundDeclaration} from '../cli/packages/package-ports.js'
import {expectNoRepair, toRepair} from '../cli/doctor/repair.js'
import {repairFlags} from '../cli/doctor/repair-flags.js'
import {diagnose, hasBroken} from '../pipeline/doctor/diagnose.js'

export default class Doctor extends Command {
  static override summary = 'Check the setup of this program'
  static override description = `Checks the requirements of this program, and prints a line and, if necessary, a fix for each check: other plugins on \
PATH that hide its commands, kubectl, Node.js, the kubeconfig, the API server, the permissions that an install requires, the package API, \
a running package manager, Leases and installs that were interrupted, the Lock of a current Crossplane, the registry, the \
indexes and the cache. Nothing is changed. Checks that cannot run, for example without a cluster, are skipped. Exits with 1 if something is broken.

With --repair, prints a plan instead that makes Crossplane resolve packages again, such as the deletion of one of two requests for the \
same package, and applies it after a confirmation. A request is deleted only if every CRD and other object of the \
package has another owner, so that no custom resource is lost; otherwise the command exits with 5 and says what you can do.`

  static override examples = [
    {description: 'Check the setup', command: '<%= config.bin %> <%= command.id %>'},
    {
      description: 'Check a cluster and an index',
      command: '<%= config.bin %> <%= command.id %> --context production --index registry.example.org/index',
    },
    {
      description: 'Print how the Lock of Crossplane would be repaired',
      command: '<%= config.bin %> <%= command.id %> --repair --dry-run',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'context',
    'default-source',
    'index',
    'offline',
    'repair',
    'dry-run',
    'output',
  ]

  static override flags = {
    ...installFlags,
    ...clusterFlags,
    ...indexFlags,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...cacheDirFlag,
    ...repairFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const parsed = await this.parse(Doctor)
    const {flags} = parsed
    if (flags.repair) {
      const parse = (words: string[]) => this.parse(Doctor, words)
      return await toRepair({command: 'doctor', toolVersion: this.config.version, parsed, parse}, this.argv)
    }
    expectNoRepair(parsed)
    const declaration = await foundDeclaration()
    const query = doctorQuery(flags, this.config, declaration)
    const shown = progress(this.argv)
    const ports = await doctorPorts(flags, this.config.version, shown, declaredSources(declaration))
    const checks = checksOn(await diagnose(query, ports).finally(shown.end), this.argv)
    await show(
      flags.output === 'text'
        ? formatChecks(checks, painter(this.argv, 'stdout'))
        : formatDocument(checksDocument(checks), flags.output),
    )
    if (hasBroken(checks)) this.exit(FOUND)
  }
}
