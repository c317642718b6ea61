import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {clusterFlags, installFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {gitReadFlags} from '../../cli/git/git-flags.js'
import {listOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {expectInstall, namedQuery} from '../../cli/cluster/install-id.js'
import {painter} from '../../cli/shell/text/paint.js'
import {historyList} from '../../cli/status/show-history.js'
import {showList} from '../../cli/shell/document/show-list.js'
import {showLockedHistory} from '../../cli/status/locked-history.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {openCluster} from '../../cli/cluster/cluster-ports.js'
import {readHistory} from '../../pipeline/cluster/named-in-cluster.js'

export default class History extends Command {
  static override summary = 'List the revisions of an install'
  static override description = `Lists the last ten revisions of an install, oldest first: its package, and when and by whom it was \
changed. The last one is the current state. Each change of the package, the parameters, the runtime or the settings of an install is \
a revision, and package rollback returns to one. Of a Provider, Configuration or Function of a current Crossplane (xpkg), it lists the \
revisions that Crossplane keeps.

With --git, it lists the versions that the lock of a declaration had in the commits of a Git repository, without a cluster.`

  static override examples = [
    {
      description: 'List the revisions of an install',
      command: '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system',
    },
    {
      description: 'Print them with their parameters',
      command: '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --output yaml',
    },
    {
      description: 'List the versions that were committed for Argo CD or Flux',
      command: '<%= config.bin %> <%= command.id %> example/my-provider --git . --path deploy',
    },
  ]

  static override args = {
    name: argument({
      description:
        'Name of an install or request, NAMESPACE/NAME, KIND.pkg.crossplane.io/NAME, or repository',
    }),
  }

  static override flags = {
    ...installFlags,
    ...clusterFlags,
    ...gitReadFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(History)
    if (flags.git !== undefined) return await showLockedHistory(args.name, flags, this.argv)
    expectInstall(args.name, {namespace: flags.namespace})
    const shown = progress(this.argv)
    const {connection, api} = await openCluster(flags, this.config.version, shown)
    const query = namedQuery(args.name, flags, connection.namespace)
    const history = await readHistory(query, api).finally(shown.end)
    await showList(historyList(history, {paint: painter(this.argv, 'stdout'), now: api.now()}), flags.output)
  }
}
