import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import {isCrdName} from '../../reference/install-target.js'
import {type Nameable, oneNamedIn} from '../../reference/named.js'
import {compareVersions} from '../../reference/newest-version.js'
import type {Reason, Step} from '../../resolve/install-reasons.js'
import {heldBackBy, newestRelease} from '../../resolve/xpkg/held-back.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgRoot} from '../../resolve/xpkg/xpkg-catalog.js'
import {definesCrd} from '../defined-crds.js'
import type {XpkgClosure} from './closure.js'
import type {WhyReport} from '../reports.js'

/** The settings that name and select packages. */
interface WhySettings {
  readonly coreVersion?: string
  readonly defaultSource?: string
}

/** Explains one package of a closure, or the one that defines a CRD; undefined if it has neither. */
export function xpkgWhy(what: string, closure: XpkgClosure, settings: WhySettings): WhyReport | undefined {
  const selected = selectedFor(what, closure, settings)
  if (selected === undefined) return undefined
  const {repository, version} = selected
  return {
    package: repository,
    tag: version,
    installs: [closure.names.get(repository) ?? ''],
    reasons: reasonsFor(repository, closure),
    notes: [...heldBackNotes(selected, closure, settings), ...notesOn(repository, closure)],
  }
}

function selectedFor(
  what: string,
  {packages, names: ownNames}: XpkgClosure,
  {defaultSource}: WhySettings,
): SelectedXpkg | undefined {
  const crd = what.replace(/^crd:/, '')
  const owner = isCrdName(crd) ? packages.find(selected => definesCrd(selected, crd)) : undefined
  if (owner !== undefined || crd !== what) return owner
  const names = packages.map(selected => ({...nameableXpkg(selected, ownNames), selected}))
  return oneNamedIn({text: what, action: 'explain', defaultSource}, names)?.selected
}

/** Returns what a NAME has to be to mean a selected package. */
export function nameableXpkg(
  {repository, kind}: Pick<SelectedXpkg, 'repository' | 'kind'>,
  names: XpkgClosure['names'],
): Nameable {
  return {repository, kind, ...present({name: names.get(repository)})}
}

/** Packages, and which of them were requested. */
export interface XpkgGraph {
  readonly roots: readonly Pick<XpkgRoot, 'repository' | 'version' | 'constraint'>[]
  readonly packages: readonly (Pick<SelectedXpkg, 'repository' | 'version'> & {
    readonly dependencies: readonly Pick<SelectedXpkg['dependencies'][number], 'package' | 'version'>[]
  })[]
}

/** Returns one path for each request and each dependent, the shortest. */
export function reasonsFor(repository: string, closure: XpkgGraph): readonly Reason[] {
  const {roots, packages} = closure
  const ways = shortestWays(closure)
  const requested = roots
    .filter(root => root.repository === repository)
    .map(root => ({steps: [requestStep(root, packages)]}))
  const required = packages.flatMap(dependent =>
    stepsOf(dependent, packages)
      .filter(({to}) => to === repository && dependent.repository !== repository)
      .map(({step}) => ({steps: [...(ways.get(dependent.repository) ?? []), step]})),
  )
  return [...requested, ...required].sort((a, b) => a.steps.length - b.steps.length)
}

function shortestWays({roots, packages}: XpkgGraph): ReadonlyMap<string, readonly Step[]> {
  const byName = new Map(packages.map(selected => [selected.repository, selected]))
  const ways = new Map<string, readonly Step[]>()
  for (const root of roots)
    if (!ways.has(root.repository)) ways.set(root.repository, [requestStep(root, packages)])
  // The map grows while it is walked: breadth-first.
  for (const [repository, way] of ways) {
    const selected = byName.get(repository)
    for (const {to, step} of selected === undefined ? [] : stepsOf(selected, packages))
      if (!ways.has(to)) ways.set(to, [...way, step])
  }
  return ways
}

function requestStep(
  {repository, version, constraint}: XpkgGraph['roots'][number],
  packages: XpkgGraph['packages'],
): Step {
  const need =
    version === undefined || version === ''
      ? [repository, constraint].filter(text => text !== undefined).join(' ')
      : nameOf({repository, version})
  return {need, package: nameIn(repository, packages)}
}

function stepsOf(
  {dependencies}: Pick<XpkgGraph['packages'][number], 'dependencies'>,
  packages: XpkgGraph['packages'],
): readonly {readonly to: string; readonly step: Step}[] {
  return dependencies.map(({package: to, version}) => ({
    to,
    step: {need: `${to} ${version}`, package: nameIn(to, packages)},
  }))
}

function nameIn(repository: string, packages: XpkgGraph['packages']): string {
  const selected = packages.find(other => other.repository === repository)
  return selected === undefined ? repository : nameOf(selected)
}

function nameOf({repository, version}: Pick<SelectedXpkg, 'repository' | 'version'>): string {
  if (version === '') return repository
  return isDigest(version) ? `${repository}@${version}` : `${repository}:${version}`
}

function heldBackNotes(
  {repository, version}: SelectedXpkg,
  closure: XpkgClosure,
  {coreVersion}: WhySettings,
): readonly string[] {
  const newest = newestRelease(repository, closure)
  const isRequested = closure.roots.some(root => root.repository === repository && root.version !== undefined)
  if (newest === undefined || isRequested || compareVersions(newest, version) >= 0) return []
  const reason = heldBackBy(repository, newest, closure, coreVersion)
  return [`${repository}:${version} is held back; newest version: ${newest}; ${reason}`]
}

function notesOn(repository: string, {notes}: XpkgClosure): readonly string[] {
  return notes
    .filter(({rule, subject}) => rule === 'lock-outdated' || subject?.package === repository)
    .map(({message}) => message)
}
