import {catalogOffer, type CatalogRequirement, present} from 'kubectl-crossplane/plugin'
import {drawGraph, type GraphNode} from './graph.js'
import type {Html} from './html.js'
import {LIMITS} from './limits.js'
import {
  hasRegistry,
  type Neighbor,
  type SitePackage,
  stableFirst,
  titleOf,
  type VersionSummary,
} from './site-model.js'

/** Finds the packages of a catalog that requirements are about. */
export interface PackageFinder {
  requires(version: VersionSummary): readonly Neighbor[]
  /** The packages of which a version requires what this version satisfies. */
  requiredBy(version: VersionSummary): readonly Neighbor[]
  /** Draws the dependencies of a version; undefined if there are none. */
  drawing(version: VersionSummary): Html | undefined
}

/** Returns what finds packages by the names and CRDs of requirements, as `--packages` does for a folder: by path. */
export function packageFinder(packages: readonly SitePackage[]): PackageFinder {
  const providers = new Providers(packages)
  const requires = (version: VersionSummary): readonly Neighbor[] =>
    version.requirements.map(requirement => providers.neighbor(requirement))
  const back = new Map<VersionSummary, Map<string, Neighbor>>()
  for (const own of packages) {
    for (const version of stableFirst(own)) {
      for (const requirement of version.requirements) {
        for (const provider of providers.satisfying(requirement)) {
          if (provider.package === own.name) continue
          const dependents = back.get(provider) ?? new Map<string, Neighbor>()
          back.set(provider, dependents)
          // Of several versions of a dependent, the newest one is shown.
          const near = {name: own.name, what: textOf(requirement), found: version}
          if (!dependents.has(own.name)) dependents.set(own.name, near)
        }
      }
    }
  }
  const requiredBy = (version: VersionSummary) => [...(back.get(version)?.values() ?? [])]
  return {requires, requiredBy, drawing: version => drawingOf(version, {requires, requiredBy})}
}

/** As the author wrote it. */
function textOf(requirement: CatalogRequirement): string {
  return requirement.form === 'crd' ? requirement.text : requirement.constraint
}

/** The words of `package tree`. */
const EXISTING: Readonly<Record<NonNullable<Extract<CatalogRequirement, {form: 'crd'}>['exists']>, string>> =
  {
    assumed: 'assumed to exist',
    cluster: 'exists in the cluster',
    crossplane: 'included in Crossplane',
    kubernetes: 'included in Kubernetes',
    'never-existed': 'always satisfied: the group never had a CRD',
  }

/** The packages of a catalog by what they provide. */
class Providers {
  readonly #byName: ReadonlyMap<string, SitePackage>
  readonly #byGroup = new Map<string, SitePackage[]>()
  readonly #satisfying = new Map<string, readonly VersionSummary[]>()

  constructor(packages: readonly SitePackage[]) {
    this.#byName = new Map(packages.map(own => [own.name, own]))
    for (const own of packages) {
      const groups = new Set(own.versions.flatMap(({kinds}) => kinds.map(({group}) => group)))
      for (const group of groups) this.#byGroup.set(group, [...(this.#byGroup.get(group) ?? []), own])
    }
  }

  neighbor(requirement: CatalogRequirement): Neighbor {
    if (requirement.form === 'crd' && requirement.exists !== undefined)
      return {...unfound(requirement), note: EXISTING[requirement.exists]}
    const own = this.#provider(requirement)
    if (own === undefined) return {...unfound(requirement), note: 'not in this catalog'}
    const [found] = this.satisfying(requirement)
    const near = {
      name: requirement.form === 'crd' ? own.name : requirement.package,
      what: textOf(requirement),
    }
    if (found !== undefined) return {...near, found}
    const [newest] = stableFirst(own)
    return {
      ...near,
      ...(newest === undefined ? {} : {found: newest}),
      note: 'no version in this catalog satisfies it',
    }
  }

  /** Returns the versions of the provider that satisfy a requirement, in the order in which users want them. */
  satisfying(requirement: CatalogRequirement): readonly VersionSummary[] {
    if (requirement.form === 'crd' && requirement.exists !== undefined) return []
    const key = JSON.stringify(requirement)
    const before = this.#satisfying.get(key)
    if (before !== undefined) return before
    const own = this.#provider(requirement)
    const versions = own === undefined ? [] : stableFirst(own).filter(version => serves(requirement, version))
    this.#satisfying.set(key, versions)
    return versions
  }

  /** Of several owners of a CRD, the first by name that serves it. */
  #provider(requirement: CatalogRequirement): SitePackage | undefined {
    if (requirement.form === 'package') {
      const {package: name} = requirement
      return this.#byName.get(name) ?? this.#byName.get(pathOf(name))
    }
    const owners = this.#byGroup.get(requirement.group) ?? []
    return (
      owners.find(own => own.versions.some(version => serves(requirement, version))) ??
      owners.find(own => own.versions.some(version => offerOf(requirement, version) === 'owns'))
    )
  }
}

function serves(requirement: CatalogRequirement, version: VersionSummary): boolean {
  return offerOf(requirement, version) === 'serves'
}

function offerOf(requirement: CatalogRequirement, version: VersionSummary) {
  const before = OFFERING.get(version)
  if (before !== undefined) return catalogOffer(requirement, before)
  const {kinds, version: name, digest} = version
  const crds = kinds
    .filter(({source}) => source !== 'function-input')
    .map(({versions, ...own}) => ({...own, served: versions}))
  const offering = {version: name, crds, ...present({digest})}
  OFFERING.set(version, offering)
  return catalogOffer(requirement, offering)
}

/** What versions offer, made once: they have hundreds of kinds. */
const OFFERING = new WeakMap<VersionSummary, Parameters<typeof catalogOffer>[1]>()

/** A requirement by itself: a CRD without its version. */
function unfound(requirement: CatalogRequirement): Pick<Neighbor, 'name' | 'what'> {
  if (requirement.form === 'package') return {name: requirement.package, what: requirement.constraint}
  const {resource, group, version = ''} = requirement
  return {name: `${resource}.${group}`, what: version}
}

/** The path of a name with a registry, of which a folder has packages. */
function pathOf(name: string): string {
  return hasRegistry(name) ? name.split('/').slice(1).join('/') : name
}

/** Draws what a version requires, directly or not, and what requires it. */
function drawingOf(
  version: VersionSummary,
  {requires, requiredBy}: Pick<PackageFinder, 'requires' | 'requiredBy'>,
): Html | undefined {
  const {package: own} = version
  const center: GraphNode = {id: own, label: titleOf(version), isCenter: true}
  const nodes = new Map<string, GraphNode>([[own, center]])
  const edges = new Map<string, readonly [string, string]>()
  const add = (near: Neighbor) => {
    const id = idOf(near)
    if (nodes.size >= LIMITS.nodes && !nodes.has(id)) return false
    if (!nodes.has(id)) nodes.set(id, nodeOf(near))
    return true
  }
  const queue = [{name: own, version}]
  const visited = new Set([own])
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const near of requires(next.version)) {
      const id = idOf(near)
      if (id === next.name || !add(near)) continue
      edges.set(`${next.name} ${id}`, [next.name, id])
      if (near.found === undefined || visited.has(id)) continue
      visited.add(id)
      queue.push({name: id, version: near.found})
    }
  }
  for (const near of requiredBy(version)) if (add(near)) edges.set(`${near.name} ${own}`, [near.name, own])
  return edges.size === 0 ? undefined : drawGraph({nodes: [...nodes.values()], edges: [...edges.values()]})
}

/** A package is required by several names: with its registry, and by its CRDs. */
function idOf({name, found}: Neighbor): string {
  return found?.package ?? name
}

function nodeOf(near: Neighbor): GraphNode {
  const {name, found} = near
  const label = found === undefined ? (name.split('/').at(-1) ?? name) : titleOf(found)
  return {id: idOf(near), label, ...(found === undefined ? {} : {href: found.folder})}
}
