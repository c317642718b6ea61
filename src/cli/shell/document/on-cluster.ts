import {shellWord} from '../../../text.js'
import {withoutCredentials} from '../../../without-credentials.js'

/** The flags that select a cluster, and the user. */
const FLAGS = ['kubeconfig', 'context', 'as', 'as-group', 'as-uid'] as const

const REPEATED = ['as-group', 'mirror']

/** A command at the end of a suggestion that connects to a cluster. */
const COMMAND =
  /(?:^|: | \| )kubectl (?:crossplane (?:package (?:install|upgrade|rollback|history|migrate|diff|drift|list|status|uninstall|move)|package (?:tree|why) .*--installed|doctor|trace)\b|(?!crossplane )[a-z])/

/** A command that changes a kubeconfig, and names the context as an argument. */
const CONFIG = /(?:^|: )kubectl config (?!view )/

/** A pull into the cache that a command reads. */
const PULL = /: kubectl crossplane package pull /

/** A command that reads packages from their registries; not `package pull`, which names what is missing as it is in the mirror. */
const READ =
  /(?:^|: )kubectl crossplane (?:package (?:check|compare|diff|drift|impact|inspect|install|lint|lock|move|outdated|render|rollback|tree|upgrade|verify|versions|why)|bundle create)\b/

/** A command that commits other settings to the repository of the command line. */
const COMMIT = /: kubectl crossplane package upgrade .* --change-settings$/
const COMMIT_FLAGS = ['git', 'path', 'branch', 'packages', 'packages-base', 'index']

/**
 * Adds the flags of a command line that select the cache, the mirrors, the repository, or the cluster and the user to a suggestion, so that the command
 * in it does not act on another cluster, and reads what this one read, when it is pasted. Any other suggestion stays as it is.
 */
export function onCluster(suggestion: string, argv: readonly string[]): string {
  if (suggestion.endsWith(' --help')) return suggestion
  const flags = flagsFor(suggestion).filter(flag => !isForContext(flag, suggestion, argv))
  const words = flagWords(flags, suggestion, argv)
  const end = suggestion.indexOf(' -- ')
  return end === -1 ? `${suggestion}${words}` : `${suggestion.slice(0, end)}${words}${suggestion.slice(end)}`
}

/** With --git, a command reads a cluster only if it has --context, and rejects the other flags without it. */
function isForContext(flag: string, suggestion: string, argv: readonly string[]): boolean {
  if (!FLAGS.some(one => one === flag) || !/ --git[ =]/.test(suggestion)) return false
  return !/ --context[ =]/.test(suggestion) && valuesOf('context', argv).length === 0
}

function flagsFor(suggestion: string): readonly string[] {
  const read = [...(PULL.test(suggestion) ? ['cache-dir'] : []), ...(READ.test(suggestion) ? ['mirror'] : [])]
  if (PULL.test(suggestion) || !COMMAND.test(suggestion)) return read
  const flags = CONFIG.test(suggestion) ? FLAGS.slice(0, 1) : FLAGS
  return [...(COMMIT.test(suggestion) ? COMMIT_FLAGS : []), ...flags, ...read]
}

/** The flags of a command line that a suggestion does not have. */
function flagWords(flags: readonly string[], suggestion: string, argv: readonly string[]): string {
  return flags
    .filter(flag => !new RegExp(` --${flag}(?:[ =]|$)`).test(suggestion))
    .flatMap(flag =>
      valuesOf(flag, argv).map(value => {
        const shown = COMMIT_FLAGS.includes(flag) ? withoutCredentials(value) : value
        return ` --${flag} ${shellWord(shown)}`
      }),
    )
    .join('')
}

/** From the words themselves, as of a command line that cannot be parsed; the last value of a flag that is not repeated. */
function valuesOf(flag: string, argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  const values = (end === -1 ? argv : argv.slice(0, end)).flatMap((word, at, words) => {
    if (word === `--${flag}`) return words[at + 1] ?? []
    return word.startsWith(`--${flag}=`) ? [word.slice(flag.length + 3)] : []
  })
  return REPEATED.includes(flag) ? values : values.slice(-1)
}
