import {Command} from '@oclif/core/command'
import {boolean} from '@oclif/core/flags'
import {
  clusterFlags,
  commonFlags,
  controllerFlags,
  CrossplaneError,
  FOUND,
  installerFlags,
  openController,
  OWN_MANAGER,
  packageInstaller,
  showDiff,
  systemNamespaceOf,
} from 'kubectl-crossplane/plugin'
import {requestManager} from '../../run/run-manager.js'
import {dryRun, type OnceResult, runOnce} from '../../run/run-once.js'

export default class Run extends Command {
  static override summary = 'Run the package manager of a cluster'
  static override description = `Watches the install requests of a cluster (of the APIs of v0.11 and v0.12, and of v0.10), installs \
the packages that they name with all dependencies, runs the controllers of records that users wrote without a request, and repairs what is changed or deleted. The objects are those of "package render", \
the decisions those of "package install" and "package uninstall". Runs until it is interrupted.

Only requests of the system namespace are served, unless the ConfigMap kubectl-crossplane-policy in it has a policy that lists others. \
Without sources in a policy, only the registries of --index and --default-source are contacted.`

  static override examples = [
    {
      description: 'Install what the cluster requests, from an index',
      command: '<%= config.bin %> <%= command.id %> --index registry.example.org/index',
    },
    {
      description: 'Show what a pass would change, with packages of a folder',
      command: '<%= config.bin %> <%= command.id %> --packages ./packages --dry-run',
    },
    {
      description: 'Make one pass over all requests',
      command: '<%= config.bin %> <%= command.id %> --packages ./packages --once',
    },
    {
      description: 'Run in a Pod, with metrics and a log for machines',
      command:
        '<%= config.bin %> <%= command.id %> --index registry.example.org/index --leader-elect --metrics-address :8080 --log-format json',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'packages',
    'index',
    'default-source',
    'once',
    'dry-run',
    'metrics-address',
    'leader-elect',
    'context',
  ]

  static override flags = {
    ...installerFlags,
    once: boolean({helpGroup: 'CONTROLLER', summary: 'Make one pass over all requests, and exit'}),
    ...controllerFlags,
    ...clusterFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Run)
    const {version} = this.config
    const process = await openController(flags, version)
    const installer = await packageInstaller(flags, process.cluster, version)
    const systemNamespace = systemNamespaceOf(flags)
    const manager = {process, installer, systemNamespace}
    if (flags['dry-run'] === 'client') {
      if (await showDiff(await dryRun(manager), flags.output ?? 'text', this.argv)) this.exit(FOUND)
      return
    }
    if (flags.once) return expectFulfilled(await runOnce(manager, new AbortController().signal))
    const runner = requestManager(manager)
    const lease = {namespace: systemNamespace, name: OWN_MANAGER, optOut: 'without --leader-elect'}
    const notReady = () => runner.notReady()
    const options = {lease, notReady, memory: 'slow-growth'} as const
    this.exit(await process.run(options, signal => runner.run(signal)))
  }
}

/** Throws if requests are not fulfilled: what the others request is installed. */
function expectFulfilled({failures, count}: OnceResult): void {
  if (failures.length === 0) return
  const message = `cannot install the packages of ${failures.length} of ${count} requests`
  throw new CrossplaneError('cluster-refused', message, {diagnostics: failures})
}
