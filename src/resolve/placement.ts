import type {Diagnostic} from '../diagnostic.js'
import {formatSummary, type PackageSummary} from '../index/package-summary.js'
import {parseImageName} from '../reference/image-name.js'
import {defaultInstanceName} from '../reference/instance-name.js'
import type {Root} from './solver-input.js'
import type {SelectedPackage, SatisfiedRequirement, PlannedInstall} from './resolution.js'

/** Namespaces of installs that have none of their own. */
export interface Places {
  /** For Cluster packages. */
  readonly systemNamespace: string
  /** For Namespaced packages that are requested without a namespace. */
  readonly contextNamespace?: string
  /** For Namespaced packages that Cluster packages require. */
  readonly dependencyNamespace?: string
}

export interface Placement {
  /** Dependencies first. */
  readonly installs: readonly PlannedInstall[]
  /** If there are any, the installs are incomplete. */
  readonly diagnostics: readonly Diagnostic[]
}

interface OpenInstall extends PlannedInstall {
  readonly requestedBy: number[]
  readonly for: {text: string; by: string}[]
  readonly requirements: readonly SatisfiedRequirement[]
  readonly dependencies: OpenInstall[]
}

/** Returns the installs of the selected packages: of a Cluster package one, of a Namespaced one one per namespace. */
export function placeInstalls(
  roots: readonly Root[],
  satisfied: readonly SatisfiedRequirement[],
  packages: readonly SelectedPackage[],
  places: Places,
): Placement {
  const placer = new Placer(packages, places)
  const requested = roots.map((root, index) => ({root, index, satisfied: satisfied[index]}))
  // Packages come before CRDs: a root of each form for the same package gives one install.
  for (const isPackage of [true, false]) {
    for (const request of requested.filter(({root}) => (root.requirement.form === 'package') === isPackage)) {
      placer.request(request.root, request.index, request.satisfied)
    }
  }
  placer.placeDependencies()
  return {installs: placer.dependenciesFirst(), diagnostics: placer.diagnostics()}
}

class Placer {
  readonly #packages: ReadonlyMap<string, SelectedPackage>
  readonly #places: Places
  readonly #installs: OpenInstall[] = []
  readonly #diagnostics: Diagnostic[] = []

  constructor(packages: readonly SelectedPackage[], places: Places) {
    this.#packages = new Map(
      packages.map(selectedPackage => [selectedPackage.summary.identity, selectedPackage]),
    )
    this.#places = places
  }

  request(root: Root, index: number, satisfied: SatisfiedRequirement | undefined): void {
    const selected = satisfied?.by.kind === 'package' ? this.#packages.get(satisfied.by.identity) : undefined
    if (selected === undefined) return
    const {summary} = selected
    const anywhere = this.#placedElsewhere(root, summary)
    if (anywhere !== undefined) return void anywhere.requestedBy.push(index)
    const namespace = this.#requestedNamespace(root, summary)
    if (namespace === undefined) return
    const name = root.name ?? defaultNameOf(summary.identity)
    const install = this.#known(summary, namespace, root.requirement.form === 'package' ? name : root.name)
    if (install !== undefined) install.requestedBy.push(index)
    else if (!this.#isSecondOfCluster(summary, namespace, name)) {
      this.#add(selected, namespace, name).requestedBy.push(index)
    }
  }

  /**
   * Returns the requested install that satisfies a CRD without a namespace and a name: of a Cluster package the only
   * one, of a Namespaced one the first where no namespace is the default.
   */
  #placedElsewhere({requirement, namespace, name}: Root, summary: PackageSummary): OpenInstall | undefined {
    if (requirement.form === 'package' || namespace !== undefined || name !== undefined) return undefined
    const {permissionScope: scope} = summary
    if (scope === 'Namespaced' && this.#places.contextNamespace !== undefined) return undefined
    return this.#installs.find(install => install.summary.identity === summary.identity)
  }

  #requestedNamespace({namespace}: Root, summary: PackageSummary): string | undefined {
    if (namespace !== undefined) return namespace
    const {systemNamespace, contextNamespace} = this.#places
    const place = summary.permissionScope === 'Cluster' ? systemNamespace : contextNamespace
    if (place !== undefined) return place
    const message = `${formatSummary(summary)} is a Namespaced package and requires a namespace`
    this.#diagnostics.push({severity: 'error' as const, rule: 'no-namespace', message})
    return undefined
  }

  #isSecondOfCluster(summary: PackageSummary, namespace: string, name: string): boolean {
    if (summary.permissionScope !== 'Cluster') return false
    const first = this.#installs.find(install => install.summary.identity === summary.identity)
    if (first === undefined) return false
    const [one, other] = [installId(first), installId({namespace, name})]
    const message = `${formatSummary(summary)} is a Cluster package, installed once per cluster, but is requested as ${one} and as ${other}`
    this.#diagnostics.push({severity: 'error' as const, rule: 'cluster-package-twice', message})
    return true
  }

  /** Returns an install for a requirement: of that name, if one is given. */
  #known(summary: PackageSummary, namespace: string, name: string | undefined): OpenInstall | undefined {
    return this.#installs.find(
      install =>
        install.summary.identity === summary.identity &&
        install.namespace === namespace &&
        (name === undefined || install.name === name),
    )
  }

  #add({summary, requirements}: SelectedPackage, namespace: string, name: string): OpenInstall {
    const install = {summary, namespace, name, requestedBy: [], for: [], requirements, dependencies: []}
    this.#installs.push(install)
    return install
  }

  /** Breadth-first: installs that are added on the way have dependencies, too. */
  placeDependencies(): void {
    for (const install of this.#installs) {
      for (const requirement of install.requirements) this.#placeDependency(install, requirement)
    }
  }

  #placeDependency(install: OpenInstall, {requirement, by}: SatisfiedRequirement): void {
    if (by.kind !== 'package' || by.identity === install.summary.identity) return
    const selected = this.#packages.get(by.identity)
    if (selected === undefined) return
    const dependency = this.#installFor(install, selected)
    dependency.for.push({text: requirement.text, by: installId(install)})
    install.dependencies.push(dependency)
  }

  #installFor(dependent: OpenInstall, selected: SelectedPackage): OpenInstall {
    const {summary} = selected
    if (summary.permissionScope === 'Cluster') {
      const existing = this.#installs.find(install => install.summary.identity === summary.identity)
      return existing ?? this.#add(selected, this.#places.systemNamespace, defaultNameOf(summary.identity))
    }
    const namespace =
      dependent.summary.permissionScope === 'Namespaced'
        ? dependent.namespace
        : (this.#places.dependencyNamespace ?? dependent.namespace)
    return (
      this.#known(summary, namespace, undefined) ??
      this.#add(selected, namespace, defaultNameOf(summary.identity))
    )
  }

  diagnostics(): Diagnostic[] {
    const seen = new Map<string, OpenInstall>()
    for (const install of this.#installs) {
      const id = installId(install)
      const earlier = seen.get(id)
      if (earlier === undefined) seen.set(id, install)
      else {
        const message = `${formatSummary(earlier.summary)} and ${formatSummary(install.summary)} would both be installed as ${id}`
        this.#diagnostics.push({severity: 'error' as const, rule: 'name-collision', message})
      }
    }
    return this.#diagnostics
  }

  /** Dependencies before their dependents; of a cycle, the install that is reached first comes last. */
  dependenciesFirst(): PlannedInstall[] {
    const ordered: OpenInstall[] = []
    const seen = new Set<OpenInstall>()
    const open: {install: OpenInstall; next: number}[] = []
    for (const start of this.#installs) {
      open.push({install: start, next: 0})
      for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
        const {install, next} = top
        if (next === 0 && seen.has(install)) {
          open.pop()
          continue
        }
        seen.add(install)
        const dependency = install.dependencies[next]
        top.next += 1
        if (dependency === undefined) ordered.push(...open.splice(-1).map(frame => frame.install))
        else if (!seen.has(dependency)) open.push({install: dependency, next: 0})
      }
    }
    return ordered.map(({requirements, dependencies: _dependencies, ...install}) => ({
      ...install,
      ...acceptedIn(requirements),
    }))
  }
}

function acceptedIn(requirements: readonly SatisfiedRequirement[]): Pick<PlannedInstall, 'accepted'> {
  const accepted = requirements.flatMap(({requirement: {text}, by}) =>
    by.kind === 'package' && by.isMismatch ? [{text, owner: by.identity}] : [],
  )
  return accepted.length === 0 ? {} : {accepted}
}

/** The name of an install of a package that is requested without one. */
export function defaultNameOf(identity: string): string {
  return defaultInstanceName(parseImageName(identity)?.path ?? identity)
}

/** Formats an install as namespace/name. */
function installId({namespace, name}: Pick<PlannedInstall, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}
