import {grouped} from '../grouped.js'
import {formatImageName, parseImageName} from '../reference/image-name.js'
import type {JsonValue} from '../yaml/json-value.js'
import {compareText} from '../reference/compare-text.js'
import {type Change, SEVERITIES, type Severity} from './change.js'
import {crdChanges} from './crd-changes.js'
import {
  type CrdSurface,
  FACT_KINDS,
  type FactKind,
  type PackageSurface,
  type UnreadPart,
} from './package-surface.js'

/** A package of a set, and what users depend on of it. */
export interface SurfacePackage {
  /** The repository, or the path of a local package. */
  readonly package: string
  /** The tag, or the digest of a package without one; empty for a local package. */
  readonly version: string
  readonly surface: PackageSurface
}

/** The differences between two sets of packages. */
export interface SetComparison {
  /** By package, CRD and path; the worst first. */
  readonly changes: readonly Change[]
  readonly unread: readonly (UnreadPart & {readonly package: string})[]
}

/** Compares two sets of packages: CRDs by their names, whichever package has them, and the facts of each package. */
export function compareSets(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
): SetComparison {
  const changes = [...setChanges(before, after), ...kindChanges(before, after)]
  return {
    changes: changes.toSorted(worstFirst),
    unread: unreadParts([...before, ...after]),
  }
}

/** Returns what could not be read of a set, with its packages. */
export function unreadParts(packages: readonly SurfacePackage[]): SetComparison['unread'] {
  return packages.flatMap(({package: name, surface}) =>
    surface.unread.map(part => ({package: name, ...part})),
  )
}

function worstFirst(a: Change, b: Change): number {
  const order = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
  const texts = KEYS.map(key => compareText(a[key] ?? '', b[key] ?? ''))
  return order || (texts.find(text => text !== 0) ?? 0)
}

const KEYS = ['package', 'crd', 'path', 'rule'] as const

function kindChanges(before: readonly SurfacePackage[], after: readonly SurfacePackage[]): readonly Change[] {
  const [old, now] = [crdsOf(before), crdsOf(after)]
  const whole = (
    severity: Severity,
    rule: 'kind-added' | 'kind-removed',
    {name, kind}: CrdSurface,
  ): Change => ({
    ...{severity, rule, crd: name, kind},
  })
  return [
    ...[...old].flatMap(([key, crds]) => {
      const others = now.get(key) ?? []
      return crds.flatMap(({crd, holder}) => {
        const next = others.find(other => other.holder === holder) ?? others[0]
        return next === undefined ? [whole('breaking', 'kind-removed', crd)] : crdChanges(crd, next.crd)
      })
    }),
    ...[...now].flatMap(([key, [first]]) =>
      old.has(key) || first === undefined ? [] : [whole('compatible', 'kind-added', first.crd)],
    ),
  ]
}

interface HeldCrd {
  readonly crd: CrdSurface
  /** The package that has it. */
  readonly holder: string
}

/** Inputs of functions are no kinds of a cluster: each function has its own. Several packages can have one kind. */
function crdsOf(packages: readonly SurfacePackage[]): ReadonlyMap<string, readonly HeldCrd[]> {
  const crds = packages.flatMap(({package: holder, surface}) => surface.crds.map(crd => ({crd, holder})))
  return grouped(crds, ({crd, holder}) =>
    crd.source === 'function-input' ? `${holder} ${crd.name}` : crd.name,
  )
}

function setChanges(before: readonly SurfacePackage[], after: readonly SurfacePackage[]): readonly Change[] {
  const [old, now] = [byName(before), byName(after)]
  const changes = [
    ...before.flatMap(own => {
      const next = now.get(own.package)
      return next === undefined
        ? [packageChange('package-removed', own), ...factChanges(own, withoutFacts(own))]
        : factChanges(own, next)
    }),
    ...after.flatMap(own =>
      old.has(own.package)
        ? []
        : [packageChange('package-added', own), ...factChanges(withoutFacts(own), own)],
    ),
  ]
  const [had, has] = [before, after].map(
    set => new Set<JsonValue | undefined>(set.flatMap(({surface}) => surface.facts.composition)),
  )
  // A Composition can move to another package of the set, as a CRD can.
  return changes.filter(
    ({rule, before: lost, after: gained}) =>
      !(rule === 'composition-removed' && has?.has(lost)) &&
      !(rule === 'composition-added' && had?.has(gained)),
  )
}

function withoutFacts(own: SurfacePackage): SurfacePackage {
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  return {...own, surface: {...own.surface, facts}}
}

function byName(packages: readonly SurfacePackage[]): ReadonlyMap<string, SurfacePackage> {
  return new Map(packages.map(own => [own.package, own]))
}

/** A package that leaves a set takes its kinds away, which are changes of their own. */
function packageChange(rule: 'package-added' | 'package-removed', own: SurfacePackage): Change {
  const isAdded = rule === 'package-added'
  return {severity: 'risky', rule, package: own.package, [isAdded ? 'after' : 'before']: own.version}
}

/** What a package gains can do more than before; without what it loses, a Composition may not be found. */
const FACT_SEVERITIES: Readonly<Record<FactKind, readonly [added: Severity, removed: Severity]>> = {
  permission: ['risky', 'compatible'],
  image: ['risky', 'compatible'],
  capability: ['risky', 'risky'],
  dependency: ['risky', 'compatible'],
  function: ['risky', 'compatible'],
  composition: ['compatible', 'breaking'],
}

/** What a fact is about, where the rest of its text says in which version. */
const SUBJECTS = {
  dependency: (text: string) => text.split(' ')[0],
  image: (text: string) => {
    const name = parseImageName(text)
    return name && formatImageName({...name, tag: undefined, digest: undefined})
  },
} as const

function factChanges(before: SurfacePackage, after: SurfacePackage): readonly Change[] {
  const about = {package: after.package}
  return FACT_KINDS.flatMap(kind => {
    const [old, now] = [new Set(before.surface.facts[kind]), new Set(after.surface.facts[kind])]
    const [removed, added] = [
      [...old].filter(text => !now.has(text)),
      [...now].filter(text => !old.has(text)),
    ]
    const changes = kind === 'dependency' || kind === 'image' ? versionChanges(kind, removed, added) : []
    const [gained, lost] = FACT_SEVERITIES[kind]
    const paired = new Set(changes.flatMap(change => [change.before, change.after]))
    const isWhole = (text: string) => !paired.has(text)
    return [
      ...removed
        .filter(isWhole)
        .map(text => ({severity: lost, rule: `${kind}-removed`, before: text}) as const),
      ...added.filter(isWhole).map(text => ({severity: gained, rule: `${kind}-added`, after: text}) as const),
      ...changes,
    ].map((change): Change => ({...change, ...about}))
  })
}

/** Facts that are about the same thing, if there is one on each side. */
function versionChanges(kind: keyof typeof SUBJECTS, removed: readonly string[], added: readonly string[]) {
  const [lost, gained] = [removed, added].map(texts => grouped(texts, text => SUBJECTS[kind](text) ?? text))
  return [...(lost ?? [])].flatMap(([subject, [before, ...others]]) => {
    const [after, ...more] = gained?.get(subject) ?? []
    if (before === undefined || after === undefined || others.length + more.length > 0) return []
    return [{severity: 'risky', rule: `${kind}-changed`, before, after} as const]
  })
}
