import type {LockedXpkg} from '../../declaration/lock.js'
import {digestOf} from '../../fetch/verified-bytes.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import {isDigest} from '../../reference/image-name.js'
import type {XpkgObject} from '../../xpkg/content/xpkg.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {SelectedXpkg} from './resolve-xpkgs.js'
import {givenNames, type XpkgContent, type XpkgRoot} from './xpkg-catalog.js'

/** Returns the lock entries of a resolution, by repository. */
export function lockedXpkgs(
  packages: readonly SelectedXpkg[],
  roots: readonly XpkgRoot[],
): readonly LockedXpkg[] {
  return packages
    .map(selected => lockedXpkg(selected, roots))
    .sort((a, b) => compareText(a.repository, b.repository))
}

function lockedXpkg(selected: SelectedXpkg, roots: readonly XpkgRoot[]): LockedXpkg {
  const {repository, version, kind, crossplane} = selected
  const own = roots.filter(root => root.repository === repository)
  const requestedAs = [...new Set(own.flatMap(restrictionOf))].sort(compareText)
  return {
    repository,
    kind,
    ...present({name: givenNames(own).get(repository)}),
    ...(isDigest(version) ? {digest: version} : present({tag: version, digest: selected.digest})),
    summaryHash: xpkgSummaryHash(selected),
    mode: own.length > 0 ? 'requested' : 'auto',
    ...(requestedAs.length === 0 ? {} : {requestedAs}),
    ...present({crossplane}),
    requires: requirementsOf(selected),
    more: {},
  }
}

/** The tag, digest or constraint that a request restricts its package to. */
function restrictionOf({version, digest, constraint}: XpkgRoot): readonly string[] {
  if (version === undefined) return constraint === undefined ? [] : [constraint]
  return [digest === undefined ? version : `${version}@${digest}`]
}

function requirementsOf({dependencies}: XpkgContent): Readonly<Record<string, readonly string[]>> {
  const byPackage = new Map<string, Set<string>>()
  for (const {package: name, version} of dependencies)
    byPackage.set(name, (byPackage.get(name) ?? new Set()).add(version))
  const sorted = [...byPackage].sort(([a], [b]) => compareText(a, b))
  return Object.fromEntries(sorted.map(([name, constraints]) => [name, [...constraints].sort(compareText)]))
}

/** Hashes what a package requires and defines; the order of its objects does not matter. */
export function xpkgSummaryHash({kind, crossplane = '', dependencies, objects = []}: XpkgContent): string {
  const defines = objects.flatMap(definedText).sort(compareText)
  const requires = dependencies.map(entry => ({...entry}))
  return digestOf(Buffer.from(writeJson({kind, crossplane, dependencies: requires, defines})))
}

/** A Composition defines nothing: it names the kind that it is for. */
function definedText({role, defines}: XpkgObject): readonly string[] {
  return defines === undefined || role === 'composition' ? [] : [writeJson({...defines})]
}
