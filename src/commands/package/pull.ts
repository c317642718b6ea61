import {Command} from '@oclif/core/command'
import {option} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {choiceFlags} from '../../cli/declaration/choice-flags.js'
import {coreVersionFlag} from '../../cli/declaration/xpkg-flags.js'
import type {FlagValues} from '../../cli/shell/flags/flag-values.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {lockFileFlag} from '../../cli/declaration/lock-flags.js'
import {lockToRead} from '../../cli/declaration/lock-query.js'
import {resolutionQuery} from '../../cli/declaration/resolution-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import type {Progress} from '../../cli/shell/progress/step-event.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatDocument, show, showNotes} from '../../cli/shell/document/show.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {requiredCache} from '../../cli/cache/package-cache.js'
import {inputFiles} from '../../cli/files/input-files.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {packagesUnderPolicy, trustedPackages} from '../../cli/packages/trusted-packages.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {pull, type PullReport} from '../../pipeline/pull.js'
import {pullLock, pullRequest} from '../../pipeline/pull.js'
import {readExistingLock, readRequest} from '../../pipeline/request/read-request.js'

export default class Pull extends Command {
  static override summary = 'Pull packages into the cache'
  static override description = `Pulls packages into the cache, which all commands use, also with --offline. Without REF, pulls the packages of the lock by \
their digests or, if the declaration has no lock, the packages that it resolves to. Prints \
each package with its digest. Only the .registry/ folder of an image is kept.`

  static override examples = [
    {
      description: 'Pull a package',
      command: '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0',
    },
    {
      description: 'Pull all packages of a declaration',
      command: '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'output',
    'packages',
    'index',
    'crd',
    'declaration',
    'lock-file',
    'owner',
    'policy',
    'platform',
    'no-cache',
  ]

  static override strict = false
  static override args = {
    ref: argument({description: 'Packages in a registry (default: those of the declaration)'}),
  }

  static override flags = {
    ...choiceFlags,
    ...coreVersionFlag,
    ...lockFileFlag,
    output: option({
      char: 'o',
      options: ['name', 'json', 'yaml'] as const,
      default: 'name',
      helpGroup: 'OUTPUT',
      summary: 'Output format; name is the pinned reference of each package',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {argv, flags, raw} = await this.parse(Pull)
    // Each package is printed on stdout.
    const shown = {...progress(this.argv), pulled: () => undefined}
    const packages = await this.#pull(argv as string[], {flags, flagNames: writtenFlags(raw)}, shown).finally(
      shown.end,
    )
    if (packages.length === 0) showNotes([NOTHING_TO_PULL], this.argv)
    await show(
      flags.output === 'name'
        ? packages.map(({reference}) => `${reference}\n`).join('')
        : formatDocument({kind: 'PullReport', packages}, flags.output),
    )
  }
  async #pull(
    references: readonly string[],
    {flags: parsedFlags, flagNames}: PullCommand,
    shown: Progress,
  ): Promise<readonly PullReport[]> {
    const [ref] = references
    const flags = withDefaultDeclaration(ref ?? parsedFlags['lock-file'], parsedFlags)
    if (ref !== undefined && flags.declaration === undefined && flags.crd === undefined) {
      return await pull(references, intoCache(await trustedPackages(flags, shown), flags, shown))
    }
    if (flags.declaration === undefined && flags['lock-file'] !== undefined) {
      const {lock} = await readExistingLock(lockToRead({}, flags), inputFiles)
      const {packages, teams} = await packagesUnderPolicy(flags, shown)
      return await pullLock(lock, intoCache(packages, flags, shown), teams)
    }
    const query = resolutionQuery({ref}, flags, flagNames)
    const request = await readRequest(query, requestPorts(flags, shown))
    return await pullRequest({...request, packages: intoCache(request.packages, flags, shown)})
  }
}

/** A pull fails where the cache cannot keep what it pulls. */
function intoCache(ports: PackagePorts, flags: PullCommand['flags'], {warn}: Progress): PackagePorts {
  if (flags['no-cache']) return ports
  return {...ports, remote: {...ports.remote, cache: () => requiredCache(flags, warn)}}
}

const NOTHING_TO_PULL = {
  severity: 'note',
  rule: 'nothing-to-pull',
  message: 'nothing was pulled: packages that are read from folders have no digest',
} as const

interface PullCommand {
  readonly flags: FlagValues<typeof choiceFlags & typeof coreVersionFlag & typeof lockFileFlag>
  /** Names of the flags on the command line. */
  readonly flagNames: ReadonlySet<string>
}
