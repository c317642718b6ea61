/** The flags of the crossplane CLI whose value can be the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...['-f', '--package-root', '--package-file', '--package-files', '-e', '--examples-root', '--ignore'],
  ...['--embed-runtime-image', '--embed-runtime-image-tarball', '-o', '--output'],
  ...['--package-pull-secrets', '--revision-history-limit', '--config', '--runtime-config', '-w', '--wait'],
  ...['-d', '--directory', '-u', '--username', '-p', '--password', '-t', '--token', '-a', '--account'],
  ...['--domain', '--profile', '-n', '--namespace', '--context', '--kubeconfig', '--concurrency'],
  ...['--show-package-dependencies', '--show-package-revisions'],
  ...['--cache-dir', '--crossplane-image', '--old-resources', '--timeout', '--xrd'],
  ...['--context-files', '--context-values', '--observed-resources', '--extra-resources'],
  ...['--required-resources', '--required-schemas', '--function-credentials', '--function-annotations'],
])

/** Those that have a value in some commands, and none in others. */
const WITH_VALUE_IN: ReadonlyMap<string, RegExp> = new Map([
  ['-c', /trace$/],
  ['-r', /^(?:xpkg )?(?:install|update)$/],
])

/** What a command line of the crossplane CLI has after its command. */
interface Rest {
  readonly values: readonly string[]
  /** The value of a flag by its names, such as `-f` and `--package-root`. */
  readonly flag: (...names: readonly string[]) => string | undefined
}

/** The commands of the crossplane CLI that have a counterpart, and the words of that. */
const COMMANDS: readonly (readonly [
  command: string,
  words: (rest: Rest) => readonly string[] | undefined,
])[] = [
  ['xpkg build', ({flag}) => ['package', 'build', flag('-f', '--package-root') ?? '.']],
  [
    'xpkg push',
    ({values, flag}) => [
      'package',
      'push',
      ...lastOrHelp(values),
      ...optional(flag('-f', '--package-files')),
    ],
  ],
  ['xpkg install', ({values}) => ['package', 'install', ...afterKind(values, 2)]],
  ['xpkg update', ({values}) => ['package', 'upgrade', ...afterKind(values, 1)]],
  // Without `xpkg`, as until Crossplane 1.14: with a kind only, since `install REF` is meant for this program.
  ['install', ({values}) => ofKind(values, words => ['package', 'install', ...afterKind(words, 2)])],
  ['update', ({values}) => ofKind(values, words => ['package', 'upgrade', updatedRequest(words)])],
  ['xpkg init', ({values}) => ['package', 'init', ...values.slice(0, 1), '--xpkg', 'configuration']],
  ['xpkg extract', ({values}) => ['package', 'inspect', ...lastOrHelp(values)]],
  ['xpkg login', ({values}) => ['registry', 'login', ...lastOrHelp(values)]],
  ['xpkg logout', ({values}) => ['registry', 'logout', ...lastOrHelp(values)]],
  ['beta trace', traceWords],
  ['resource trace', traceWords],
  ['beta validate', validateWords],
  ['resource validate', validateWords],
  ['composition render', compositionWords],
  ['render', renderWords],
]

/**
 * The words that do here what a command line of the crossplane CLI does there; undefined for all others. `ids` are the
 * commands of this program.
 */
export function ofCrossplaneCli(
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  for (const [command, words] of COMMANDS) {
    const length = command.split(' ').length
    if (argv.slice(0, length).join(' ') !== command || ids.includes(command)) continue
    return words(restOf(argv.slice(length), command))
  }
  return undefined
}

function restOf(words: readonly string[], command: string): Rest {
  const flags = new Map<string, string>()
  const values: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [name = '', value] = word.split(/=(.*)/s)
    if (!word.startsWith('-')) values.push(word)
    else if (value !== undefined) flags.set(name, value)
    else if (WITH_VALUE.has(name) || WITH_VALUE_IN.get(name)?.test(command) === true)
      flags.set(name, words[(at += 1)] ?? '')
  }
  return {values, flag: (...names) => names.map(name => flags.get(name)).find(value => value !== undefined)}
}

/** `trace` has the arguments and the namespace of the other one. */
function traceWords({values, flag}: Rest): readonly string[] {
  const namespace = flag('-n', '--namespace')
  if (values.length === 0) return ['trace', '--help']
  return ['trace', ...values, ...(namespace === undefined ? [] : ['--namespace', namespace])]
}

/** Extensions are the packages of the declaration here; resources come last there. */
function validateWords({values}: Rest): readonly string[] {
  return ['package', 'validate', ...lastOrHelp(values).flatMap(value => value.split(','))]
}

/** A composite resource with a Composition is validated; otherwise a package is meant, which can have a name after it. */
function renderWords({values}: Rest): readonly string[] | undefined {
  const files = values.filter(value => /[.]ya?ml$/.test(value))
  return files.length < 2 ? undefined : ['package', 'validate', ...files.slice(0, 2)]
}

/** No command here begins with `composition`: its files can have any name. */
function compositionWords({values}: Rest): readonly string[] {
  return ['package', 'validate', ...(values.length < 2 ? lastOrHelp(values) : values.slice(0, 2))]
}

/** The words after `provider`, `configuration` or `function`: a package, and for an installation its name. */
function afterKind(values: readonly string[], most: number): readonly string[] {
  const words = KINDS.has(values[0] ?? '') ? values.slice(1) : values
  return words.length === 0 ? ['--help'] : words.slice(0, most)
}

function ofKind(
  values: readonly string[],
  words: (values: readonly string[]) => readonly string[],
): readonly string[] | undefined {
  return KINDS.has(values[0] ?? '') ? words(values) : undefined
}

/** Before Crossplane 1.14, `update` had a kind, the name of a request, and its new tag or digest. */
function updatedRequest([_kind, name = '', version = '']: readonly string[]): string {
  if (version === '') return '--help'
  return `${name}${version.startsWith('sha256:') ? '@' : ':'}${version}`
}

const KINDS: ReadonlySet<string> = new Set(['provider', 'configuration', 'function'])

function lastOrHelp(values: readonly string[]): readonly string[] {
  return [values.at(-1) ?? '--help']
}

function optional(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : value.split(',')
}
