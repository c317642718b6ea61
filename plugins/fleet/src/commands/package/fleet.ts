import {Command} from '@oclif/core/command'
import {option, string} from '@oclif/core/flags'
import {
  argument,
  clusterFlags,
  commonFlags,
  CrossplaneError,
  formatDocument,
  FOUND,
  homesBelow,
  isDocument,
  lines,
  painter,
  parseDuration,
  progress,
  reasonOf,
  show,
  showWarnings,
} from 'kubectl-crossplane/plugin'
import {type FleetHome, fleetRows} from '../../fleet-rows.js'
import {readFleet} from '../../read-fleet.js'
import {openRings, type RingsPlace} from '../../ring-place.js'
import type {RingHome} from '../../rings.js'
import {fleetDocument, formatMarkdown, formatMatrix, formatMetrics, formatWide} from '../../show-fleet.js'

export default class PackageFleet extends Command {
  static override summary = 'Compare the packages of homes and their clusters'
  static override description = `Shows the packages of several homes: what the declaration says, what is locked, what is rendered, what the last commit has, what the cluster has and whether \
it is healthy, and what each waits for. Homes are the folders DIR or those below them, or those of crossplane-rings.yaml, which also \
names the context of each cluster. Without contexts, no cluster is read.

Clusters are read side by side, each for at most --cluster-timeout: one that does not answer is named and delays no other. Exits with 0 if all \
packages are as they are locked, with 1 if one is not, and with 7 if nothing was found and a home or a cluster could not be read.`

  static override examples = [
    {
      description: 'Compare all homes of a folder, without their clusters',
      command: '<%= config.bin %> <%= command.id %> clusters',
    },
    {
      description: 'Compare two homes with their clusters',
      command:
        '<%= config.bin %> <%= command.id %> clusters/staging clusters/production --contexts staging,production',
    },
  ]

  /** A failure of the command exits with 7. */
  static isCheck = true

  /** The flags that `--help` shows. */
  static mostUsed = ['contexts', 'rings', 'cluster-timeout', 'kubeconfig', 'output']

  static override strict = false

  static override args = {
    dir: argument({
      description: 'Folder of a home, or with homes below it (default: those of the rings); can be repeated',
    }),
  }

  static override flags = {
    contexts: string({
      helpGroup: 'CLUSTER',
      helpValue: 'NAME,…',
      exclusive: ['rings'],
      summary: 'Contexts of the kubeconfig for the clusters of the homes DIR, in their order',
    }),
    rings: string({
      helpGroup: 'PACKAGE',
      helpValue: 'FILE',
      summary: 'File with the order of homes (default: crossplane-rings.yaml)',
    }),
    'cluster-timeout': string({
      default: '10s',
      helpGroup: 'CLUSTER',
      helpValue: 'DURATION',
      summary: 'Maximum time to read one cluster, such as 10s',
    }),
    kubeconfig: clusterFlags.kubeconfig,
    as: clusterFlags.as,
    'as-group': clusterFlags['as-group'],
    'as-uid': clusterFlags['as-uid'],
    output: option({
      char: 'o',
      options: ['text', 'wide', 'json', 'yaml', 'markdown', 'prometheus'] as const,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; text may change between releases',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(PackageFleet)
    const timeoutMs = parseDuration(flags['cluster-timeout'], '--cluster-timeout')
    const {root, homes} = await selectedHomes(argv.map(String), flags)
    const shown = progress(this.argv)
    const {version} = this.config
    const read = await readFleet(homes, {
      ...{root, flags, timeoutMs, version, progress: shown},
      readsCommits: true,
    }).finally(shown.end)
    showWarnings({warnings: uncompared(read)}, this.argv)
    const rows = fleetRows(read)
    const paint = painter(this.argv, 'stdout')
    await show(formatted())
    const isFound = rows.some(({waits}) => waits !== undefined)
    if (isFound) this.exit(FOUND)
    const failed = read.flatMap(({path, error}) => (error === undefined ? [] : [{path, error}]))
    if (failed.length > 0) throw unread(failed)

    function formatted(): string {
      const {output} = flags
      if (isDocument(output)) return formatDocument(fleetDocument(read, rows), output)
      if (output === 'markdown') return formatMarkdown(read, rows)
      if (output === 'prometheus') return formatMetrics(read, rows)
      return output === 'wide' ? formatWide(read, rows, paint) : formatMatrix(read, rows, paint)
    }
  }
}

/** Returns the homes of the command line, or of the rings. Throws `usage`. */
async function selectedHomes(
  folders: readonly string[],
  {contexts, rings}: {readonly contexts?: string | undefined; readonly rings?: string | undefined},
): Promise<RingsPlace & {readonly homes: readonly RingHome[]}> {
  if (folders.length === 0 && contexts === undefined) {
    const place = await openRings(rings)
    return {...place, homes: place.rings.flatMap(ring => ring.homes)}
  }
  if (rings !== undefined) {
    throw new CrossplaneError('usage', 'DIR and --rings are mutually exclusive', {
      suggestions: ['Leave out --rings, or the folders.'],
    })
  }
  const paths = folders.flatMap(folder => homesIn(folder))
  const names = contexts?.split(',')
  if (names !== undefined && (names.length !== paths.length || names.includes(''))) {
    throw new CrossplaneError('usage', `--contexts has ${names.length} names for ${paths.length} homes`, {
      suggestions: ['Pass one context for each home, in the order of the folders.'],
    })
  }
  return {
    root: '',
    rings: [],
    homes: paths.map((path, index) => {
      const context = names?.[index]
      return {path, ...(context === undefined ? {} : {context})}
    }),
  }
}

function homesIn(folder: string): readonly string[] {
  const homes = homesBelow(folder)
  if (homes.length > 0) return homes
  throw new CrossplaneError('not-found', `no homes found in ${folder}`, {
    suggestions: ['Pass folders with a crossplane-packages.yaml and its lock.'],
  })
}

/** Says which repositories git does not open, and why: each once. */
function uncompared(homes: readonly FleetHome[]): Parameters<typeof showWarnings>[0]['warnings'] {
  const errors = new Map(homes.flatMap(({gitError: one}) => (one === undefined ? [] : [[one.message, one]])))
  return [...errors.values()].map(error => ({
    ...{severity: 'warning', rule: 'fleet-commit-unread', suggestions: error.suggestions},
    message: `whether packages are committed is not known: ${reasonOf(error)}`,
  }))
}

function unread(
  failed: readonly {readonly path: string; readonly error: CrossplaneError}[],
): CrossplaneError {
  const [first] = failed
  const message = lines(failed.map(({path, error}) => `${path}: ${reasonOf(error)}`)).trimEnd()
  return new CrossplaneError(
    'cluster-failed',
    `cannot read ${failed.length === 1 ? (first?.path ?? '') : `${failed.length} homes`}`,
    {
      diagnostics: message
        .split('\n')
        .map(text => ({severity: 'error', rule: 'fleet-unread', message: text})),
      suggestions: [...new Set(failed.flatMap(({error}) => error.suggestions))].slice(0, 3),
    },
  )
}
