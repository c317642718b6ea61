import type {OwnedCrd, PackageSummary} from '../../src/index/package-summary.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'

// Written without a look at src/resolve, for worlds of plurals, tags of the form vN.0.0 and Cluster packages only.

type Selected = ReadonlyMap<string, PackageSummary>

/** A requirement of a version of a package, or of the user. */
export interface OpenRequirement {
  readonly requirement: string
  readonly by?: PackageSummary
}

const owns = (requirement: string, {crds}: PackageSummary, anyVersion: boolean) => {
  const [name = '', requested] = requirement.split('/')
  const matching = crds.filter(({plural, group}) => name === `${plural}.${group}` || name === `*.${group}`)
  return matching.some(({served}) => anyVersion || requested === undefined || served.includes(requested))
}

const textOf = (dependency: PackageSummary['dependsOn'][number]) =>
  'crd' in dependency ? dependency.crd : dependency.package

export const requirementsOf = (summary: PackageSummary): OpenRequirement[] =>
  summary.dependsOn.map(each => ({requirement: textOf(each), by: summary}))

export const rootsOf = ({roots}: SolverInput): OpenRequirement[] =>
  roots.map(({requirement}) => ({
    requirement: requirement.form === 'package' ? requirement.identity : requirement.text,
  }))

const isFact = (requirement: string, {facts}: SolverInput) => {
  const [name = '', requested] = requirement.split('/')
  return facts.some(
    ({plural, group, served = []}) =>
      [`${plural}.${group}`, `*.${group}`].includes(name) &&
      (requested === undefined || served.includes(requested)),
  )
}

const isLocked = ({preferences}: SolverInput, {identity, tag}: PackageSummary) =>
  preferences.some(each => each.identity === identity && each.tag === tag)

/** Stable and locked versions, and of a package that is pinned only that tag. */
const canBeSelected = (input: SolverInput, summary: PackageSummary) => {
  const pins = input.roots.flatMap(({requirement}) =>
    requirement.form === 'package' &&
    requirement.identity === summary.identity &&
    requirement.tag !== undefined
      ? [requirement.tag]
      : [],
  )
  if (pins.length > 0) return pins.every(tag => tag === summary.tag)
  return /^v\d+\.0\.0$/.test(summary.tag) || isLocked(input, summary)
}

const ruleOf = ({owners}: SolverInput, group: string) => owners.find(each => each.group === group)?.identity

const candidatesFor = (input: SolverInput, requirement: string) => {
  const owning = input.summaries.filter(each => canBeSelected(input, each) && owns(requirement, each, true))
  return [...new Set(owning.map(({identity}) => identity))]
}

/**
 * The packages one of which has to be the owner of what a requirement names: several only if all of them are requested.
 * `met` where it needs none, `none` where it has none, `open` where no rule decides.
 */
export function ownersIn(
  input: SolverInput,
  {requirement, by}: OpenRequirement,
): 'met' | 'none' | 'open' | readonly string[] {
  if (!requirement.includes('.')) return [requirement]
  if (isFact(requirement, input)) return 'met'
  const candidates = candidatesFor(input, requirement)
  if (candidates.length === 0) return 'none'
  const rule = ruleOf(input, requirement.slice(requirement.indexOf('.') + 1).split('/')[0] ?? '')
  if (rule !== undefined) return candidates.includes(rule) ? [rule] : 'none'
  const left = lockedOwners(input, requirement, candidates)
  if (left.length === 1 && candidates.length > 1) return left
  const requested = requestedOwners(input, left)
  return requested.length > 0 ? requested : ownerByFile(left, candidates, requirement, by)
}

/** Candidates that the lock leaves: of several the ones that satisfied the requirement; all if none is locked. */
const lockedOwners = (input: SolverInput, requirement: string, candidates: readonly string[]) => {
  const locked = candidates.filter(identity =>
    input.summaries.some(
      each => each.identity === identity && isLocked(input, each) && owns(requirement, each, true),
    ),
  )
  const satisfying = locked.filter(identity =>
    input.preferences.some(each => each.identity === identity && each.satisfies?.includes(requirement)),
  )
  return [satisfying, locked, candidates].find(each => each.length > 0) ?? []
}

const requestedOwners = (input: SolverInput, left: readonly string[]) => {
  const requested = new Set(rootsOf(input).map(root => root.requirement))
  return [...requested].filter(each => left.includes(each))
}

/** The dependent or a package of the same file, and else the only candidate. */
const ownerByFile = (
  left: readonly string[],
  candidates: readonly string[],
  requirement: string,
  by: PackageSummary | undefined,
) => {
  const itself = by !== undefined && owns(requirement, by, true) ? [by.identity] : []
  const named = (by?.dependsOn ?? []).flatMap(each => ('package' in each ? [each.package] : []))
  const first = [...itself, ...named].find(each => left.includes(each))
  if (first !== undefined) return [first]
  return candidates.length > 1 ? 'open' : candidates
}

/** The package that `owners:` or else the lock assigns a CRD to. */
const assignedTo = (input: SolverInput, {plural, group}: OwnedCrd) => {
  const isOwner = ({crds}: PackageSummary) =>
    crds.some(each => each.plural === plural && each.group === group)
  const rule = ruleOf(input, group)
  const owning = input.summaries.filter(isOwner)
  if (rule !== undefined) {
    return owning.some(each => each.identity === rule && canBeSelected(input, each)) ? rule : undefined
  }
  const [locked, ...others] = new Set(owning.filter(each => isLocked(input, each)).map(each => each.identity))
  return others.length > 0 ? undefined : locked
}

/** Whether two packages cannot be installed together: one owns what the other owns, or what is assigned to the other. */
const exclude = (input: SolverInput, a: PackageSummary, b: PackageSummary) => {
  const takes = (from: PackageSummary, identity: string) =>
    !isLocked(input, from) && from.crds.some(crd => assignedTo(input, crd) === identity)
  return (
    a.crds.some(one => b.crds.some(two => one.plural === two.plural && one.group === two.group)) ||
    takes(a, b.identity) ||
    takes(b, a.identity)
  )
}

const number = ({tag}: PackageSummary) => Number(/\d+/.exec(tag)?.[0])

export interface Rules {
  /** Version parts that need not hold, as `IDENTITY REQUIREMENT`. */
  readonly ignored?: ReadonlySet<string>
  /** Only the first of each choice. */
  readonly isGreedy?: boolean
  /** Requirements that count; all if absent. */
  readonly holds?: (open: OpenRequirement) => boolean
}

/** The first complete assignment, by trying all of them in order. */
export function bruteForce(
  input: SolverInput,
  {ignored = new Set(), isGreedy = false, holds = () => true}: Rules = {},
): Selected | undefined {
  const suits = ({requirement, by}: OpenRequirement, summary: PackageSummary) =>
    !requirement.includes('.') ||
    owns(requirement, summary, by !== undefined && ignored.has(`${by.identity} ${requirement}`))
  const fitting = (open: OpenRequirement, owner: string, selected: Selected) => {
    const known = selected.get(owner)
    const all = known === undefined ? versionsInOrder(input, owner) : [known]
    const others = [...selected.values()].filter(({identity}) => identity !== owner)
    const found = all.filter(each => suits(open, each) && !others.some(other => exclude(input, each, other)))
    return isGreedy ? found.slice(0, 1) : found
  }
  const go = ([open, ...rest]: OpenRequirement[], selected: Selected): Selected | undefined => {
    if (open === undefined) return selected
    const owners = ownersIn(input, open)
    if (owners === 'met' || owners === 'open') return go(rest, selected)
    if (owners === 'none') return undefined
    for (const each of owners.flatMap(owner => fitting(open, owner, selected))) {
      const isKnown = selected.has(each.identity)
      const next = isKnown ? rest : [...rest, ...requirementsOf(each).filter(holds)]
      const found = go(next, new Map(selected).set(each.identity, each))
      if (found !== undefined) return found
    }
    return undefined
  }
  const isChoice = (open: OpenRequirement) => {
    const owners = ownersIn(input, open)
    return Number(typeof owners !== 'string' && owners.length > 1)
  }
  const roots = rootsOf(input).filter(holds)
  return go(
    roots.sort((a, b) => isChoice(a) - isChoice(b)),
    new Map(),
  )
}

/** Locked versions first, then from newest to oldest. */
function versionsInOrder(input: SolverInput, owner: string): PackageSummary[] {
  return input.summaries
    .filter(each => each.identity === owner && canBeSelected(input, each))
    .sort((a, b) => Number(isLocked(input, b)) - Number(isLocked(input, a)) || number(b) - number(a))
}
