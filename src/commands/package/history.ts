import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {clusterFlags, installFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {listOutputFlag} from '../../cli/flags/output.js'
import {expectInstall, installId} from '../../cli/options/install-id.js'
import {painter} from '../../cli/output/text/paint.js'
import {formatHistory} from '../../cli/output/installs/show-history.js'
import {showList} from '../../cli/output/document/show-list.js'
import {progress} from '../../cli/output/progress/progress.js'
import {openCluster} from '../../cli/ports/cluster-ports.js'
import {installHistory} from '../../pipeline/cluster/history.js'

export default class History extends Command {
  static override summary = 'List the revisions of an install'
  static override description = `Lists the last ten revisions of an install, oldest first: its package, and when and by whom it was \
changed. The last one is the current state. Each change of the package, the parameters, the runtime or the settings of an install is \
a revision, and package rollback returns to one.`

  static override examples = [
    {
      description: 'List the revisions of an install',
      command: '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system',
    },
    {
      description: 'Print them with their parameters',
      command: '<%= config.bin %> <%= command.id %> my-provider --namespace crossplane-system --output yaml',
    },
  ]

  static override args = {
    name: argument({description: 'Install: NAME, or NAMESPACE/NAME'}),
  }

  static override flags = {
    ...installFlags,
    ...clusterFlags,
    ...listOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(History)
    expectInstall(args.name, {namespace: flags.namespace})
    const shown = progress(this.argv)
    const {connection, api} = await openCluster(flags, this.config.version, shown)
    const {namespace, name} = installId(args.name, flags.namespace ?? connection.namespace)
    const revisions = await installHistory({namespace, name}, api).finally(shown.end)
    const paint = painter(this.argv, 'stdout')
    await showList(
      {
        document: {kind: 'RevisionList', namespace, name, revisions},
        names: revisions.map(({number}) => String(number)),
        table: isWide => formatHistory(revisions, isWide, paint),
        empty: `${namespace}/${name} has no revisions`,
      },
      flags.output,
    )
  }
}
