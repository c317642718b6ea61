import type {Diagnostic} from '../../diagnostic.js'
import type {Places} from '../placement.js'

/** What to try first, by what is wrong; the first rule that was found decides. */
const ADVICE: Readonly<Record<string, string>> = {
  'unreadable-candidate':
    'Mend what cannot be read (package lint says what is wrong with it), or look in other places (--packages, --index).',
  'never-existed-group':
    'Ask the authors of the package to remove the entry; --assume CRD takes it to be there in the meantime.',
  'missing-group':
    'Look for the package that defines it in other places (--packages, --index), or pass --assume CRD if the cluster has it.',
  'missing-crd':
    'Look for a version of the package that defines it, or pass --assume CRD if the cluster has it.',
  'missing-package': 'Look for it in other places (--packages, --index).',
  'missing-version': 'Ask for one of the versions that there are.',
  'distrusted-owner': 'Change what you say about owners, if you trust that package with the group.',
  scope: 'Pass --dependency-namespace NAME to say where Namespaced packages go that Cluster ones need.',
  'ownership-conflict': 'Ask for one of the two packages only.',
  'unstable-version': 'Ask for it by its tag, if you want it.',
  'yanked-version': 'Ask for another version.',
  'private-version': 'Log in to its registry (registry login), or ask for another version.',
  'vanished-version': 'Ask for another version, or ask whoever runs the index to withdraw this one.',
  'lying-version': 'Ask for another version, and tell whoever runs the index.',
  'version-twice': 'Ask for it by its digest.',
  'unreadable-package': 'Mend the package or fetch it again; package lint says what is wrong with it.',
}

const ACCEPT =
  'Ask for other versions of the packages that disagree, or pass --allow-version-mismatch to go on with versions that were not asked for.'

const OTHERS =
  'Ask for a version that is served, or for other versions of the packages that need it; --assume CRD/VERSION takes one to be there.'

/** One thing to try; a second one where versions disagree and the reader may overrule that. */
export function adviceFor(
  diagnostics: readonly Diagnostic[],
  parts: ReadonlySet<string>,
  {dependencyNamespace}: Places,
): string[] {
  const rules = diagnostics.map(({rule}) => rule)
  const known = Object.keys(ADVICE).find(rule => rules.includes(rule))
  const first = known === undefined ? undefined : ADVICE[known]
  if (first === undefined) return [parts.size > 0 ? ACCEPT : OTHERS]
  if (known === 'scope' && dependencyNamespace !== undefined) return []
  return [first]
}
