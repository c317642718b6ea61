import type {Diagnostic} from '../../diagnostic.js'
import type {Places} from '../placement.js'

const OTHER_SOURCE = 'Request another package, or add its source to the policy.'

/** The inputs of suggestions besides the diagnostics. */
export interface AdviceContext extends Places {
  /** Whether `--allow-version-mismatch` was given. */
  readonly allowVersionMismatch: boolean
  /** Whether `--allow-version-mismatch` would give a resolution. */
  readonly isRelaxable: () => boolean
}

/** The suggestion for each rule, most important first: only the first rule of this list that was reported is used. */
const ADVICE: Readonly<Record<string, string>> = {
  'foreign-version': OTHER_SOURCE,
  'foreign-candidate': OTHER_SOURCE,
  'unreadable-candidate':
    'Run kubectl crossplane package lint on the package that cannot be read, or add another source with --packages or --index.',
  'never-existed-group':
    'Ask the authors of the package to remove the requirement; until then pass --assume with the CRD.',
  'missing-group':
    'Add the source of the package that provides it with --packages or --index, or pass --assume with the CRD if the cluster serves it.',
  'missing-crd':
    'Add a source that has a version of the package with the CRD, or pass --assume with the CRD if the cluster serves it.',
  'missing-package': 'Add a source that has the package with --packages or --index.',
  'missing-version': 'Request an available version.',
  'distrusted-owner': 'Change owners if you trust that package with the group.',
  scope: 'Pass --dependency-namespace with the namespace for Namespaced dependencies of Cluster packages.',
  'ownership-conflict': 'Request only one of the packages, or other versions of them.',
  'pinned-version': 'Request a version that owns it.',
  'unstable-version': 'Request the version by its tag to use it.',
  'yanked-version': 'Request another version.',
  'private-version': 'Run kubectl crossplane registry login for its registry, or request another version.',
  'vanished-version': 'Request another version, or yank the index entry.',
  'lying-version': 'Request another version, or yank the index entry.',
  'version-twice':
    'Request the version by its digest, or yank the wrong one: kubectl crossplane registry index yank REF@sha256:DIGEST --reason TEXT --index ROOT',
  'unreadable-package': 'Run kubectl crossplane package lint on the package, or request another version.',
}

const ACCEPT = 'Request other versions of these packages, or pass --allow-version-mismatch.'

const OTHER_VERSIONS = 'Request other versions of these packages.'

const STALE =
  'Request a version of the dependent that requires a served version, or pass --assume with the CRD and version if the cluster serves it.'

/** One suggestion, or two where a rule has its own. */
export function adviceFor(
  diagnostics: readonly Diagnostic[],
  parts: ReadonlySet<string>,
  {dependencyNamespace, allowVersionMismatch, isRelaxable}: AdviceContext,
): string[] {
  const own = diagnostics.flatMap(({suggestions = []}) => suggestions)
  if (own.length > 0) return [...new Set(own)]
  const rules = diagnostics.map(({rule}) => rule)
  const knownRule = Object.keys(ADVICE).find(rule => rules.includes(rule))
  const first = knownRule === undefined ? undefined : ADVICE[knownRule]
  if (knownRule === 'scope' && dependencyNamespace !== undefined) return []
  if (first !== undefined) return [first]
  if (parts.size > 0 && !allowVersionMismatch && isRelaxable()) return [ACCEPT]
  return [rules.includes('stale-version') ? STALE : OTHER_VERSIONS]
}
