import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {
  argument,
  clock,
  clusterFlags,
  commonFlags,
  CrossplaneError,
  INCOMPLETE,
  openPromotions,
  parseDuration,
  progress,
  type PromoteFlags,
  promoteFlags,
  promoteHome,
  show,
} from 'kubectl-crossplane/plugin'
import {join} from 'node:path'
import {promoteNext} from '../../promote-next.js'
import {readFleet} from '../../read-fleet.js'
import {folderInRepository, openRings} from '../../ring-place.js'

export default class PackagePromote extends Command {
  static override summary = 'Bring the locked packages of one home to another'
  static override description = `Takes the locked versions of FROM for the packages that TO has too: pins in the declaration of TO, its lock and its rendered \
objects. FROM and TO are homes: folders with a crossplane-packages.yaml and its lock. All packages of TO are resolved together (exits \
with 3 if FROM's versions do not fit), their digests are those of FROM (exits with 4 if not), and effects on the objects of TO stop the \
command (exits with 5). Packages that only one home has are named and stay as they are.

Without --git, the files of TO are written. With --git, they are committed to the repository, of which FROM and TO are folders; with \
--pr, they become a branch with a pull request, as those of package update.

With --next, crossplane-rings.yaml names homes in rings and the contexts of their clusters. A ring gets the packages of the ring before it \
if all packages of all homes of that one have been healthy for --soak, with the locked content, as the conditions in their clusters \
say. Each home that is not ready is named, with the reason and the time.`

  static override examples = [
    {
      description: 'Print what would change',
      command:
        '<%= config.bin %> <%= command.id %> clusters/staging clusters/production --packages ./packages --dry-run',
    },
    {
      description: 'Promote one package in the files of a home',
      command:
        '<%= config.bin %> <%= command.id %> clusters/staging clusters/production --only example/my-provider --packages ./packages --yes',
    },
    {
      description: 'Open a pull request',
      command:
        '<%= config.bin %> <%= command.id %> clusters/staging clusters/production --git https://git.example.org/team/deploy.git --pr gitlab',
    },
    {
      description: 'Promote to each ring what was healthy in the ring before it for a day',
      command: '<%= config.bin %> <%= command.id %> --next --soak 24h --packages ./packages --yes',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    ...[
      'only',
      'next',
      'soak',
      'git',
      'branch',
      'push',
      'pr',
      'accept-impact',
      'packages',
      'index',
      'dry-run',
    ],
    ...['yes', 'output'],
  ]

  static override args = {
    from: argument({description: 'Folder of the home whose versions are taken'}),
    to: argument({description: 'Folder of the home that gets them'}),
  }

  static override flags = {
    ...promoteFlags,
    next: boolean({
      helpGroup: 'UPDATE',
      summary: 'Promote to each ring what was healthy in the ring before it',
    }),
    soak: string({
      default: '24h',
      helpGroup: 'UPDATE',
      helpValue: 'DURATION',
      summary: 'How long packages must have been healthy before they are promoted, such as 24h',
    }),
    rings: string({
      helpGroup: 'PACKAGE',
      helpValue: 'FILE',
      summary: 'File with the order of homes (default: crossplane-rings.yaml)',
    }),
    kubeconfig: clusterFlags.kubeconfig,
    'cluster-timeout': string({
      default: '10s',
      helpGroup: 'CLUSTER',
      helpValue: 'DURATION',
      summary: 'Maximum time to read one cluster, such as 10s',
    }),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(PackagePromote)
    if (flags.next) return await this.#next(args, flags)
    const {from, to} = args
    for (const flag of ONLY_WITH_NEXT) if (this.argv.some(word => isFlag(word, flag))) throw withoutNext(flag)
    if (from === undefined || to === undefined) throw missing(from === undefined ? 'FROM' : 'TO')
    if (await promoteHome({from, to}, flags, this)) this.exit(INCOMPLETE)
  }

  async #next(args: Partial<Record<'from' | 'to', string>>, flags: NextFlags): Promise<void> {
    if (args.from !== undefined) throw notBeside('FROM', 'Leave out the folders, or --next.')
    if (flags.output !== 'text') throw notBeside(`--output ${flags.output}`, 'Pass --output text.')
    const soakMs = parseDuration(flags.soak, '--soak')
    const timeoutMs = parseDuration(flags['cluster-timeout'], '--cluster-timeout')
    const {root, rings} = await openRings(flags.rings)
    const folder = flags.git === undefined ? root : folderInRepository(root, flags.git)
    const shown = progress(this.argv)
    const place = {root, flags: {kubeconfig: flags.kubeconfig}, timeoutMs, version: this.config.version}
    // Nothing is promoted from the last ring: a dead cluster there fails nothing.
    const all = rings.slice(0, -1).flatMap(ring => ring.homes)
    const homes = await readFleet(all, {...place, progress: shown}).finally(shown.end)
    const now = (await clock()).now()
    const paths = rings.flatMap(ring => ring.homes.map(({path}) => path))
    let open: Promise<ReadonlyMap<string, string>> | undefined
    const openBranches = () => (open ??= openOf(paths, folder, flags))
    const report = await promoteNext({rings, homes, soakMs, now, openBranches}, pair =>
      promoteHome({...pair, from: join(folder, pair.from), to: join(folder, pair.to)}, flags, this),
    )
    await show(report.text)
    if (report.isIncomplete) this.exit(INCOMPLETE)
  }
}

/** Returns the branches of promotions that are not merged yet, by the path of the home in the file of rings. */
async function openOf(
  paths: readonly string[],
  folder: string,
  flags: PromoteFlags,
): Promise<ReadonlyMap<string, string>> {
  const open = await openPromotions(
    paths.map(path => join(folder, path)),
    flags,
  )
  return new Map(
    paths.flatMap(path => {
      const branch = open.get(join(folder, path))
      return branch === undefined ? [] : [[path, branch] as const]
    }),
  )
}

type NextFlags = PromoteFlags & {
  readonly soak: string
  readonly 'cluster-timeout': string
  readonly rings?: string | undefined
  readonly kubeconfig?: string | undefined
}

/** Two of them have a default, so that the parser cannot tell whether a user passed them. */
const ONLY_WITH_NEXT = ['--soak', '--rings', '--cluster-timeout', '--kubeconfig'] as const

function isFlag(word: string, flag: string): boolean {
  return word === flag || word.startsWith(`${flag}=`)
}

function withoutNext(flag: string): CrossplaneError {
  return new CrossplaneError('usage', `${flag} requires --next`, {
    suggestions: [`Pass --next without folders, or leave out ${flag}.`],
  })
}

function missing(name: string): CrossplaneError {
  return new CrossplaneError('usage', `missing argument ${name}`, {
    suggestions: ['Pass the folders of two homes: FROM and TO.'],
  })
}

function notBeside(what: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', `${what} and --next are mutually exclusive`, {
    suggestions: [suggestion],
  })
}
