import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {
  clusterFlags,
  commonFlags,
  controllerFlags,
  type ControllerProcess,
  CrossplaneError,
  FOUND,
  openController,
  showDiff,
} from 'kubectl-crossplane/plugin'
import {expectKinds, kindOf} from '../../run/kind-flag.js'
import {leaseName} from '../../run/lease-name.js'
import {dryRun, type OnceResult, runOnce} from '../../run/run-once.js'
import {DEFAULTS, serviceRunner} from '../../run/run-services.js'
import type {Service} from '../../services.js'

const KINDS =
  '--claim fancysqlinstances.database.example.org --class favouritedbinstanceclasses.fcp.example.org --managed favouritedbinstances.fcp.example.org'

export default class Run extends Command {
  static override summary = 'Bind claims to the managed resources of a package'
  static override description = `Selects classes for claims, creates and binds their managed resources, and propagates connection \
secrets, for any package that follows the Services Developer Guide. The controller of the package serves the managed resources. \
Runs until it is interrupted.

A field of a claim becomes the field of the same name in spec.forProvider of the managed resource. A claim that has a field without \
such a counterpart, or with a value that differs from that of its class, is rejected.`

  static override examples = [
    {
      description: 'Bind the claims of one kind',
      command: `<%= config.bin %> <%= command.id %> ${KINDS}`,
    },
    {
      description: 'Show what a pass would change',
      command: `<%= config.bin %> <%= command.id %> ${KINDS} --dry-run`,
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['claim', 'class', 'managed', 'once', 'dry-run', 'metrics-address', 'context']

  static override flags = {
    claim: string({
      helpGroup: 'SERVICE',
      helpValue: 'KIND',
      multiple: true,
      required: true,
      summary: 'Kind of claims, as PLURAL.GROUP[/VERSION]; can be repeated',
    }),
    class: string({
      helpGroup: 'SERVICE',
      helpValue: 'KIND',
      summary: 'Kind of their classes (default: none; claims name managed resources)',
    }),
    managed: string({
      helpGroup: 'SERVICE',
      helpValue: 'KIND',
      required: true,
      summary: 'Kind of the managed resources',
    }),
    once: boolean({
      helpGroup: 'CONTROLLER',
      summary: 'Make passes over all claims until nothing changes, and exit',
    }),
    ...controllerFlags,
    'leader-elect': boolean({
      allowNo: true,
      default: true,
      helpGroup: 'CONTROLLER',
      summary: 'Wait for a Lease, so that one of several processes makes changes',
    }),
    ...clusterFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Run)
    expectKinds('claim', ...flags.claim)
    expectKinds('class', ...(flags.class === undefined ? [] : [flags.class]))
    expectKinds('managed', flags.managed)
    const process = await openController(flags, this.config.version)
    const service = await serviceOf(flags, process)
    const parts = {process, services: [service], ...DEFAULTS}
    if (flags['dry-run'] === 'client') {
      if (await showDiff(await dryRun(parts), flags.output ?? 'text', this.argv)) this.exit(FOUND)
      return
    }
    if (flags.once) return expectBound(await runOnce(parts))
    const runner = serviceRunner(parts)
    const lease = {
      namespace: process.namespace,
      name: leaseName([service]),
      optOut: 'with --no-leader-elect',
    }
    const notReady = () => runner.notReady()
    const options = {lease, notReady, memory: 'few-objects'} as const
    this.exit(await process.run(options, signal => runner.run(signal)))
  }
}

interface KindFlags {
  readonly claim: readonly string[]
  readonly class?: string | undefined
  readonly managed: string
}

async function serviceOf(flags: KindFlags, {api}: Pick<ControllerProcess, 'api'>): Promise<Service> {
  const discovery = await api.discover()
  return {
    managed: kindOf('managed', flags.managed, discovery),
    claims: flags.claim.map(text => kindOf('claim', text, discovery)),
    ...(flags.class === undefined ? {} : {class: kindOf('class', flags.class, discovery)}),
  }
}

/** Throws if claims are rejected: the others are bound. */
function expectBound({failures, count}: OnceResult): void {
  if (failures.length === 0) return
  const message = `cannot bind ${failures.length} of ${count} claims`
  throw new CrossplaneError('cluster-refused', message, {diagnostics: failures})
}
