import {singularName} from '../../kubernetes/singular-name.js'
import {CORE_KINDS} from '../../render/core-kinds.js'
import type {PermissionScope} from '../../unpack/package.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {Candidate, DeclaredCrd} from './candidate.js'

/** A kind whose names and versions are known offline. */
export interface KnownKind {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly versions: readonly string[]
  readonly scope: PermissionScope
  /** Whether the package defines it. */
  readonly isOwn: boolean
}

export interface KnownKinds {
  ofGroup(group: string): readonly KnownKind[]
  /** By plural, else by singular, else by the kind in lowercase. */
  named(group: string, resource: string): KnownKind | undefined
}

/** The kinds of the package and those of Crossplane itself. */
export function knownKinds({crds}: Pick<Candidate, 'crds'>): KnownKinds {
  const byGroup = new Map<string, KnownKind[]>()
  for (const kind of [...crds.map(ownKind), ...CORE]) {
    const group = byGroup.get(kind.group)
    if (group === undefined) byGroup.set(kind.group, [kind])
    else group.push(kind)
  }
  const byName = new Map<string, KnownKind>()
  // Later names take precedence over earlier ones.
  for (const nameOf of [lowerKind, ({singular}: KnownKind) => singular, ({plural}: KnownKind) => plural]) {
    for (const kind of [...byGroup.values()].flat().reverse())
      byName.set(`${nameOf(kind)}.${kind.group}`, kind)
  }
  return {
    ofGroup: group => byGroup.get(group) ?? [],
    named: (group, resource) => byName.get(`${resource}.${group}`),
  }
}

function lowerKind({kind}: KnownKind): string {
  return kind.toLowerCase()
}

const CORE: readonly KnownKind[] = CORE_KINDS.map(({version, ...kind}) => ({
  ...kind,
  singular: kind.kind.toLowerCase(),
  versions: [version],
  isOwn: false,
}))

function ownKind({definition, object}: DeclaredCrd): KnownKind {
  const {group, kind, plural, versions} = definition
  const spec = asObject(object.spec)
  return {
    group,
    kind,
    plural,
    singular: singularName(asObject(spec.names)),
    versions,
    scope: asText(spec.scope) === 'Cluster' ? 'Cluster' : 'Namespaced',
    isOwn: true,
  }
}
