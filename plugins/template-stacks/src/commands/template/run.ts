import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {
  clusterFlags,
  commonFlags,
  controllerFlags,
  CrossplaneError,
  folderFiles,
  FOUND,
  openController,
  showDiff,
} from 'kubectl-crossplane/plugin'
import {withEngine} from '../../engines/start-engine.js'
import {clusterFacts} from '../../run/cluster-facts.js'
import {type OnceResult, runOnce} from '../../run/run-once.js'
import {stackRunner} from '../../run/run-stack.js'
import {findDefinition, stackName} from '../../run/stack-definition.js'

export default class Run extends Command {
  static override summary = 'Run the controller of a template stack'
  static override description = `Watches the custom resources of a StackDefinition, and applies the objects that its templates create for each by \
server-side apply. Changes of these objects are taken back, fields of others are kept, and objects that are no longer rendered \
are deleted. Runs until it is interrupted, with the permissions that the role of the package grants.

Templates are read from the StackDefinition, or from --resources-dir. With --dry-run, prints the differences that one pass would \
make, as "package diff" does, and exits with 1 if there are any.

The flags and variables of templating-controller are accepted, so that the image of this program can take its place.`

  static override examples = [
    {
      description: 'Run the controller of a stack with the current kubeconfig',
      command: '<%= config.bin %> <%= command.id %> --stack team-a/my-app',
    },
    {
      description: 'Show what a pass would change',
      command: '<%= config.bin %> <%= command.id %> --stack team-a/my-app --dry-run',
    },
    {
      description: 'Make one pass with templates of a folder',
      command:
        '<%= config.bin %> <%= command.id %> --stack team-a/my-app --resources-dir ./my-app/chart --once',
    },
    {
      description: 'Run in a Pod, with metrics and a log for machines',
      command:
        '<%= config.bin %> <%= command.id %> --stack team-a/my-app --metrics-address :8080 --log-format json',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['stack', 'resources-dir', 'once', 'dry-run', 'metrics-address', 'log-format', 'context']

  static override flags = {
    stack: string({
      exclusive: ['stack-definition-name', 'stack-definition-namespace'],
      helpGroup: 'TEMPLATE',
      helpValue: '[NAMESPACE/]NAME',
      summary: "StackDefinition (default namespace: the context's)",
    }),
    'stack-definition-name': string({
      env: 'TEMPLATING_CONTROLLER_STACK_DEFINITION_NAME',
      helpGroup: 'TEMPLATE',
      helpValue: 'NAME',
      summary: 'Name of the StackDefinition, as a flag of templating-controller',
    }),
    'stack-definition-namespace': string({
      env: 'TEMPLATING_CONTROLLER_STACK_DEFINITION_NAMESPACE',
      helpGroup: 'TEMPLATE',
      helpValue: 'NAME',
      summary: 'Namespace of the StackDefinition, as a flag of templating-controller',
    }),
    'resources-dir': string({
      env: 'TEMPLATING_CONTROLLER_RESOURCES_DIR',
      helpGroup: 'TEMPLATE',
      helpValue: 'DIR',
      summary: 'Folder with the templates (default: those in the StackDefinition)',
    }),
    once: boolean({helpGroup: 'CONTROLLER', summary: 'Make one pass over all custom resources, and exit'}),
    ...controllerFlags,
    ...clusterFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Run)
    const process = await openController(flags, this.config.version)
    const name = stackName(flags, process.namespace)
    const definition = await findDefinition(name, process.api)
    const facts = await clusterFacts(process.api, () => process.clock.elapsed())
    const folder = async () =>
      flags['resources-dir'] === undefined ? undefined : await folderFiles(flags['resources-dir'])
    const parts = {process, facts, definition}
    const isDryRun = flags['dry-run'] === 'client'
    if (flags.once || isDryRun) {
      const query = {...parts, folder: await folder(), isDryRun}
      const result = await withEngine(engine => runOnce({...query, engine}))
      if (isDryRun && (await showDiff(result.diff, flags.output ?? 'text', this.argv))) this.exit(FOUND)
      return expectSynced(result)
    }
    const lease = {
      namespace: name.namespace,
      name: `template-stack-${name.name}`,
      optOut: 'without --leader-elect',
    }
    const status = await withEngine(engine => {
      const runner = stackRunner({...parts, folder, engine})
      return process.run({lease, notReady: () => runner.notReady()}, signal => runner.run(signal))
    })
    this.exit(status)
  }
}

/** Throws if a pass failed: the objects of the other custom resources are applied. */
function expectSynced({failures, count}: OnceResult): void {
  if (failures.length === 0) return
  const message = `cannot apply the objects of ${failures.length} of ${count} custom resources`
  throw new CrossplaneError('cluster-rejected', message, {diagnostics: failures})
}
