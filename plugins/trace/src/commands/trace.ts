import {Command} from '@oclif/core/command'
import {option, string} from '@oclif/core/flags'
import {
  argument,
  clusterFlags,
  commonFlags,
  connectReader,
  progress,
  FOUND,
  painter,
  showWarnings,
} from 'kubectl-crossplane/plugin'
import {expectComplete, expectFound, findStart} from '../find-start.js'
import {kindsIn} from '../kinds.js'
import {FORMATS, showTrace} from '../show-trace.js'
import {traceObjects} from '../trace-objects.js'

export default class Trace extends Command {
  static override summary = 'Trace the objects that an object depends on'
  static override description = `Follows the references of an object and of every object it finds, and prints each as Ready, Not ready, Missing or \
Unknown: from a claim to its managed resource, class, provider and Secrets, and from an application to its \
parts. References of any kind are found by convention: fields named *Ref and *Refs, label selectors, parent labels and owner \
references. The values of Secrets are not read. Exits with 0 if all objects are ready, with 1 if one is missing or not \
ready, and with 7 if that could not be determined, for example because a permission is missing.`

  static override examples = [
    {
      description: 'Trace a claim',
      command: '<%= config.bin %> <%= command.id %> mysqlinstance my-db --namespace team-a',
    },
    {
      description: 'Draw an application with Graphviz',
      command:
        '<%= config.bin %> <%= command.id %> kubernetesapplications.workload.crossplane.io my-app --output dot',
    },
  ]

  /** A failure of the command exits with 7. */
  static isCheck = true

  /** The flags that `--help` shows. */
  static mostUsed = ['namespace', 'context', 'output']

  static override args = {
    type: argument({description: 'Type of the object: TYPE[.GROUP], as in kubectl', required: true}),
    name: argument({description: 'Name of the object', required: true}),
  }

  static override flags = {
    namespace: string({
      char: 'n',
      helpGroup: 'CLUSTER',
      helpValue: 'NAME',
      summary: "Namespace of the object (default: the context's)",
    }),
    ...clusterFlags,
    output: option({
      char: 'o',
      options: FORMATS,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; text may change between releases',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Trace)
    const shown = progress(this.argv)
    const {reader, namespace} = await connectReader(flags, this.config.version, shown)
    const kinds = kindsIn(await reader.discover().finally(shown.end))
    const start = findStart(args.type, args.name, flags.namespace ?? namespace, kinds)
    const trace = await traceObjects(start, {reader, kinds}).finally(shown.end)
    expectFound(start, trace)
    const warnings = trace.warnings.map(message => ({rule: 'trace', severity: 'warning' as const, message}))
    showWarnings({warnings}, this.argv)
    await showTrace(trace, flags.output, painter(this.argv, 'stdout'))
    if (trace.nodes.some(({state}) => state === 'NotReady' || state === 'Missing')) this.exit(FOUND)
    expectComplete(trace)
  }
}
