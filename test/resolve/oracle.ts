import type {PackageSummary} from '../../src/index/package-summary.js'
import type {Question} from '../../src/resolve/question.js'

// Written without a look at src/resolve, for worlds of plurals, stable versions and cluster packages only.

type Need = string
type Chosen = ReadonlyMap<string, PackageSummary>
interface Open {
  readonly need: Need
  readonly by?: PackageSummary
}

const owns = (need: Need, {crds}: PackageSummary, anyVersion: boolean) => {
  const [name = '', requested] = need.split('/')
  const matching = crds.filter(({plural, group}) => name === `${plural}.${group}` || name === `*.${group}`)
  return matching.some(({served}) => anyVersion || requested === undefined || served.includes(requested))
}

const needsOf = (summary: PackageSummary): Open[] =>
  summary.dependsOn.map(each => ({need: 'crd' in each ? each.crd : each.package, by: summary}))

const isMetBy = (need: Need, {facts}: Question) => {
  const [name = '', requested] = need.split('/')
  return facts.some(
    ({plural, group, served = []}) =>
      [`${plural}.${group}`, `*.${group}`].includes(name) &&
      (requested === undefined || served.includes(requested)),
  )
}

/** The package that a need means; `met` where it needs none, `none` where it has none, `open` where nobody says. */
export function ownerIn(question: Question, {need, by}: Open): string {
  const {roots, summaries, owners} = question
  if (!need.includes('.')) return need
  if (isMetBy(need, question)) return 'met'
  if (by !== undefined && owns(need, by, true)) return by.identity
  const owning = summaries.filter(each => owns(need, each, true)).map(each => each.identity)
  const preferred = preferredBy(roots, by).find(identity => owning.includes(identity))
  if (preferred !== undefined) return preferred
  const group = need.slice(need.indexOf('.') + 1).split('/')[0]
  const rule = owners.find(each => each.group === group)
  if (rule !== undefined) return owning.find(each => each === rule.identity) ?? 'none'
  const [only = 'none', ...others] = new Set(owning)
  return others.length > 0 ? 'open' : only
}

const preferredBy = (roots: Question['roots'], by: PackageSummary | undefined) => [
  ...roots.flatMap(each => (each.need.form === 'package' ? [each.need.identity] : [])),
  ...(by?.dependsOn ?? []).flatMap(each => ('package' in each ? [each.package] : [])),
]

const newestFirst = (a: PackageSummary, b: PackageSummary) =>
  Number(b.tag.slice(1, -4)) - Number(a.tag.slice(1, -4))

const suits = (
  need: Need,
  summary: PackageSummary,
  selected: Chosen,
  ignored: ReadonlySet<string>,
  by?: PackageSummary,
) =>
  (!need.includes('.') || owns(need, summary, by !== undefined && ignored.has(`${by.identity} ${need}`))) &&
  ![...selected.values()].some(
    other =>
      other.identity !== summary.identity &&
      other.crds.some(one => summary.crds.some(two => one.plural === two.plural && one.group === two.group)),
  )

/** The first complete assignment, by trying all of them in order. With `isGreedy` only the first of each choice. */
export function bruteForce(
  question: Question,
  {ignored = new Set(), isGreedy = false}: {ignored?: ReadonlySet<string>; isGreedy?: boolean} = {},
): Chosen | undefined {
  const go = ([open, ...rest]: Open[], selected: Chosen): Chosen | undefined => {
    if (open === undefined) return selected
    const {need, by} = open
    const owner = ownerIn(question, open)
    if (owner === 'met' || owner === 'open') return go(rest, selected)
    const known = selected.get(owner)
    const all = question.summaries.filter(each => each.identity === owner).sort(newestFirst)
    const fitting = (known === undefined ? all : [known]).filter(each =>
      suits(need, each, selected, ignored, by),
    )
    for (const each of isGreedy ? fitting.slice(0, 1) : fitting) {
      const found = go(
        known === undefined ? [...rest, ...needsOf(each)] : rest,
        new Map(selected).set(owner, each),
      )
      if (found !== undefined) return found
    }
    return undefined
  }
  const roots = question.roots.map(({need}) => ({need: need.form === 'package' ? need.identity : need.text}))
  return go(roots, new Map())
}
