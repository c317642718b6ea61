import {asTexts, type JsonObject} from '../yaml/json-value.js'
import {listAll, plural} from '../text.js'

/** Describes an RBAC rule, as the rest of a sentence that starts with "may". */
export function ruleInWords(rule: JsonObject): string {
  const verbs = verbsInWords(asTexts(rule.verbs))
  const urls = asTexts(rule.nonResourceURLs)
  if (urls.length > 0) return `${verbs} ${listAll(urls)} of the API server`
  const names = asTexts(rule.resourceNames)
  const only =
    names.length === 0 ? '' : `, only ${plural(names.length, 'the one', 'those')} named ${listAll(names)}`
  return `${verbs} ${resourcesInWords(asTexts(rule.resources))} ${groupsInWords(asTexts(rule.apiGroups))}${only}`
}

/** `have full access to`, `read`, `read, create, change and delete`; verbs that are only part of these by name. */
export function verbsInWords(verbs: readonly string[]): string {
  if (verbs.includes('*')) return ALL_VERBS
  const whole = [...PHRASES].filter(([, parts]) => parts.every(verb => verbs.includes(verb)))
  const covered = whole.flatMap(([, parts]) => parts)
  return listAll([
    ...whole.flatMap(([phrase]) => phrase.split(' ')),
    ...verbs.filter(verb => !covered.includes(verb)),
  ])
}

const ALL_VERBS = 'have full access to'

/** What an account is granted: `read xs`, `full access to xs`. */
export function grantOf(words: string): string {
  return words.startsWith(ALL_VERBS) ? words.replace('have ', '') : words
}

/** The predicate of a sentence about an account: `may read xs`, `has full access to xs`. */
export function predicateOf(words: string): string {
  return words.startsWith(ALL_VERBS) ? words.replace('have', 'has') : `may ${words}`
}

const PHRASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['get', 'list', 'watch']],
  ['create change delete', ['create', 'delete', 'deletecollection', 'patch', 'update']],
])

/** Groups subresources with their resource: `databases and their status`. */
function resourcesInWords(resources: readonly string[]): string {
  const parts = new Map<string, string[]>()
  for (const resource of resources) {
    const [main = '', part] = resource.split('/', 2)
    parts.set(main, [...(parts.get(main) ?? []), ...(part === undefined ? [] : [part])])
  }
  return listAll([...parts].map(([main, subresources]) => resourceInWords(main, subresources)))
}

function resourceInWords(main: string, subresources: readonly string[]): string {
  const name = main === '*' ? 'every kind' : main
  return subresources.length === 0 ? name : `${name} and their ${listAll(subresources)}`
}

function groupsInWords(groups: readonly string[]): string {
  if (groups.length === 0) return 'in no API group (no effect)'
  return `in ${listAll(groups.map(groupInWords))}`
}

function groupInWords(group: string): string {
  if (group === '') return 'the core group of Kubernetes'
  return group === '*' ? 'every API group' : group
}
