import type {PackageSummary} from '../../src/index/package-summary.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'

// Written without a look at src/resolve, for worlds of plurals, stable versions and cluster packages only.

type Need = string
type Chosen = ReadonlyMap<string, PackageSummary>
interface Open {
  readonly requirement: Need
  readonly by?: PackageSummary
}

const owns = (requirement: Need, {crds}: PackageSummary, anyVersion: boolean) => {
  const [name = '', requested] = requirement.split('/')
  const matching = crds.filter(({plural, group}) => name === `${plural}.${group}` || name === `*.${group}`)
  return matching.some(({served}) => anyVersion || requested === undefined || served.includes(requested))
}

const requirementsOf = (summary: PackageSummary): Open[] =>
  summary.dependsOn.map(each => ({requirement: 'crd' in each ? each.crd : each.package, by: summary}))

const isMetBy = (requirement: Need, {facts}: SolverInput) => {
  const [name = '', requested] = requirement.split('/')
  return facts.some(
    ({plural, group, served = []}) =>
      [`${plural}.${group}`, `*.${group}`].includes(name) &&
      (requested === undefined || served.includes(requested)),
  )
}

/** The package that a need means; `met` where it needs none, `none` where it has none, `open` where nobody says. */
export function ownerIn(input: SolverInput, {requirement, by}: Open): string {
  const {roots, summaries, owners} = input
  if (!requirement.includes('.')) return requirement
  if (isMetBy(requirement, input)) return 'met'
  if (by !== undefined && owns(requirement, by, true)) return by.identity
  const owning = summaries.filter(each => owns(requirement, each, true)).map(each => each.identity)
  const preferred = preferredBy(roots, by).find(identity => owning.includes(identity))
  if (preferred !== undefined) return preferred
  const group = requirement.slice(requirement.indexOf('.') + 1).split('/')[0]
  const rule = owners.find(each => each.group === group)
  if (rule !== undefined) return owning.find(each => each === rule.identity) ?? 'none'
  const [only = 'none', ...others] = new Set(owning)
  return others.length > 0 ? 'open' : only
}

const preferredBy = (roots: SolverInput['roots'], by: PackageSummary | undefined) => [
  ...roots.flatMap(each => (each.requirement.form === 'package' ? [each.requirement.identity] : [])),
  ...(by?.dependsOn ?? []).flatMap(each => ('package' in each ? [each.package] : [])),
]

const newestFirst = (a: PackageSummary, b: PackageSummary) =>
  Number(b.tag.slice(1, -4)) - Number(a.tag.slice(1, -4))

const suits = (
  requirement: Need,
  summary: PackageSummary,
  selected: Chosen,
  ignored: ReadonlySet<string>,
  by?: PackageSummary,
) =>
  (!requirement.includes('.') ||
    owns(requirement, summary, by !== undefined && ignored.has(`${by.identity} ${requirement}`))) &&
  ![...selected.values()].some(
    other =>
      other.identity !== summary.identity &&
      other.crds.some(one => summary.crds.some(two => one.plural === two.plural && one.group === two.group)),
  )

/** The first complete assignment, by trying all of them in order. With `isGreedy` only the first of each choice. */
export function bruteForce(
  input: SolverInput,
  {ignored = new Set(), isGreedy = false}: {ignored?: ReadonlySet<string>; isGreedy?: boolean} = {},
): Chosen | undefined {
  const go = ([open, ...rest]: Open[], selected: Chosen): Chosen | undefined => {
    if (open === undefined) return selected
    const {requirement, by} = open
    const owner = ownerIn(input, open)
    if (owner === 'met' || owner === 'open') return go(rest, selected)
    const known = selected.get(owner)
    const all = input.summaries.filter(each => each.identity === owner).sort(newestFirst)
    const fitting = (known === undefined ? all : [known]).filter(each =>
      suits(requirement, each, selected, ignored, by),
    )
    for (const each of isGreedy ? fitting.slice(0, 1) : fitting) {
      const found = go(
        known === undefined ? [...rest, ...requirementsOf(each)] : rest,
        new Map(selected).set(owner, each),
      )
      if (found !== undefined) return found
    }
    return undefined
  }
  const roots = input.roots.map(({requirement}) => ({
    requirement: requirement.form === 'package' ? requirement.identity : requirement.text,
  }))
  return go(roots, new Map())
}
