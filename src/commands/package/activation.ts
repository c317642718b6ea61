import {Command} from '@oclif/core/command'
import {FOUND} from '../../cli/shell/exit-code.js'
import {activationFlags} from '../../cli/compare/activation-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {closureQuery} from '../../cli/compare/compare-query.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {objectPaths} from '../../cli/compare/impact-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {showNotes} from '../../cli/shell/document/show.js'
import {showActivation} from '../../cli/compare/show-activation.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {objectFiles, warningsOfEmpty} from '../../cli/files/object-files.js'
import type {ClusterFlags} from '../../cli/cluster/cluster-connection.js'
import {surfacePorts} from '../../cli/packages/package-ports.js'
import {expectDecided, findActivation} from '../../pipeline/activation.js'
import {expectJudged} from '../../pipeline/impact/compare-packages.js'
import {declaredObjects} from '../../pipeline/impact/package-impact.js'

export default class Activation extends Command {
  static override summary = 'List the managed resources that are used and active'
  static override description = `Lists the kinds of managed resources that objects and Compositions use, and whether ManagedResourceActivationPolicies activate them: those of \
the declaration (xpkg.activate), of its packages, and of the files with objects. Only kinds of packages with the capability safe-start, and \
ManagedResourceDefinitions, can be inactive. Packages are those of the lock.

With --context, the objects and the Compositions of a cluster count as well; nothing in the cluster is changed.

--write puts the names of the used kinds into xpkg.activate. Without --context, no kind leaves the list: a cluster can have objects that no file has. With it, the \
list has exactly the kinds that are used or have objects, unless a part that was not read can use others: then, none leaves it either. Crossplane deactivates no kind that is active in a cluster.

With --check, which requires objects or --context, exits with 1 if a used kind is not active, and with 7 if a file or a package could not be read.`

  static override examples = [
    {
      description: 'List the kinds that the objects of a folder use',
      command: '<%= config.bin %> <%= command.id %> --objects ./clusters',
    },
    {
      description: 'Activate only what is used, in files and in a cluster',
      command: '<%= config.bin %> <%= command.id %> --objects ./clusters --context my-cluster --write',
    },
    {
      description: 'Fail if a used kind is not active',
      command: '<%= config.bin %> <%= command.id %> --check',
    },
  ]

  /** The flags that `-h` shows. */
  static isCheck = true
  static mostUsed = ['objects', 'write', 'check', 'context', 'output', 'declaration', 'packages', 'offline']

  static override flags = {...activationFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {flags, raw} = await this.parse(Activation)
    const query = closureQuery(flags, writtenFlags(raw))
    const {declaration} = withDefaultDeclaration(undefined, flags)
    const shown = progress(this.argv)
    const ports = surfacePorts(flags, shown, this.config.version)
    const declared = async () => (declaration === undefined ? [] : await declaredObjects(declaration, ports))
    // Without objects, nothing is missing.
    const paths = flags.check ? await objectPaths(flags, ports) : (flags.objects ?? (await declared()))
    const files = await objectFiles(paths)
    const api = flags.context === undefined ? undefined : await this.#api(flags, shown)
    const result = await findActivation(query, files, ports, api).finally(shown.end)
    const {activation, notes, failures, unreadCrds} = result
    showNotes([...notes, ...warningsOfEmpty(failures.empty)], this.argv)
    await showActivation(activation, flags.output, this.argv)
    expectJudged(failures.unreadable, {unread: unreadCrds})
    if (flags.write) {
      const {activateIn} = await import('../../cli/compare/activate-in.js')
      await activateIn(declaration, result)
    }
    if (!flags.check) return
    expectDecided(activation)
    if (activation.totals.missing > 0) this.exit(FOUND)
  }

  async #api(flags: ClusterFlags, shown: ReturnType<typeof progress>) {
    const {openCluster} = await import('../../cli/cluster/cluster-ports.js')
    return (await openCluster(flags, this.config.version, shown)).api
  }
}
