/** Flags of kubectl, Helm and Docker that have another name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{'-f': 'declaration', '--filename': 'declaration', '--ns': 'namespace', '--kube-context': 'context'},
  ...{'--kube-as-user': 'as', '--kube-as-group': 'as-group', '--kube-ca-file': 'certificate-authority'},
}

/** Those that say what is done without them: Helm's `--wait`, and kubectl's for commands that select everything. */
const DEFAULTS = /^(?:--wait|--install)$/
const ALL = /^(?:-A|--all-namespaces|--all)$/
/** Commands that change only what is named. */
const NAMING = /^package (?:install|uninstall|move|promote)$/

/**
 * Returns the command line that does what a flag of another program does there; undefined if none does. `flagNames` are the flags of
 * the command, without dashes.
 */
export function wordsForOtherFlag(
  flag: string,
  argv: readonly string[],
  flagNames: readonly string[],
): readonly string[] | undefined {
  const id = argv.slice(0, 2).join(' ')
  const name = Object.hasOwn(OTHER_NAMES, flag) ? OTHER_NAMES[flag] : undefined
  if (name !== undefined && flagNames.includes(name)) return renamed(flag, name, argv)
  if (ALL.test(flag)) return NAMING.test(id) ? undefined : without(flag, argv)
  if (DEFAULTS.test(flag) && flagNames.includes('no-wait')) return without(flag, argv)
  if (flag === '--version') return withTag(argv)
  return ofCommand(flag, argv, id)
}

function ofCommand(flag: string, argv: readonly string[], id: string): readonly string[] | undefined {
  if (/^(?:-n|--namespace)$/.test(flag) && id === 'package upgrade')
    return namesInNamespace(argv, argv.indexOf(flag))
  if (/^(?:-w|--watch)$/.test(flag) && id === 'package list') return ['package', 'status', ...argv.slice(2)]
  if (flag === '--cascade' && id === 'package uninstall') return keepingResources(argv)
  return undefined
}

/** The words of a flag and its value. */
function valueOf(flag: string, argv: readonly string[]): string | undefined {
  const joined = argv.find(word => word.startsWith(`${flag}=`))
  return joined === undefined ? argv[argv.indexOf(flag) + 1] : joined.slice(flag.length + 1)
}

function renamed(flag: string, name: string, argv: readonly string[]): readonly string[] {
  return argv.map(word =>
    word === flag || word.startsWith(`${flag}=`) ? word.replace(flag, `--${name}`) : word,
  )
}

function without(flag: string, argv: readonly string[]): readonly string[] {
  return argv.filter(word => word !== flag && !word.startsWith(`${flag}=`))
}

function withoutValue(flag: string, argv: readonly string[]): readonly string[] {
  const at = argv.indexOf(flag)
  return at === -1 ? without(flag, argv) : [...argv.slice(0, at), ...argv.slice(at + 2)]
}

/** `install PACKAGE --version v1` is `install PACKAGE:v1`. */
function withTag(argv: readonly string[]): readonly string[] | undefined {
  const version = valueOf('--version', argv)
  const [noun = '', verb = '', reference = '', ...others] = withoutValue('--version', argv)
  const isTagged = /:[^/]*$|@/.test(reference)
  if (version === undefined || !/^[\w.-]+$/.test(version) || /^(?:-|$)/.test(reference) || isTagged)
    return undefined
  return [noun, verb, `${reference}:${version}`, ...others]
}

/** kubectl's `--cascade=orphan` deletes an object and keeps what it owns. */
function keepingResources(argv: readonly string[]): readonly string[] | undefined {
  if (valueOf('--cascade', argv) !== 'orphan') return undefined
  return [...withoutValue('--cascade', argv), '--custom-resources=keep']
}

/** `upgrade NAME -n team` is `upgrade team/NAME`; undefined for repositories, which are in any namespace. */
function namesInNamespace(argv: readonly string[], at: number): readonly string[] | undefined {
  const namespace = argv[at + 1]
  const words = argv.filter((_, index) => index !== at && index !== at + 1)
  const name = words[2]
  if (namespace === undefined || name === undefined || /^-|\//.test(name)) return undefined
  return [...words.slice(0, 2), `${namespace}/${name}`, ...words.slice(3)]
}
