import type {Diagnostic} from '../../diagnostic.js'
import {isDigest} from '../../reference/image-name.js'
import {CONSTRAINT_RULES} from '../../xpkg/constraints/constraint-rules.js'
import {candidateVersion} from '../../xpkg/constraints/version.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {SelectedXpkg} from './resolve-xpkgs.js'
import {givenNames, type XpkgRoot} from './xpkg-catalog.js'

/** Reports what keeps Crossplane from installing a set of packages although all constraints hold. */
export function xpkgConflicts(
  packages: readonly SelectedXpkg[],
  roots: readonly XpkgRoot[] = [],
): readonly Diagnostic[] {
  return [
    ...cycles(packages),
    ...sameNames(packages, givenNames(roots)),
    ...bytesAndVersions(packages, roots),
  ]
}

/** Requirements of bytes and of versions are both satisfied by a tag with these bytes, but never for Crossplane. */
function bytesAndVersions(
  packages: readonly SelectedXpkg[],
  roots: readonly XpkgRoot[],
): readonly Diagnostic[] {
  return packages.flatMap(({repository}): Diagnostic[] => {
    const requested = roots.flatMap(root =>
      root.repository === repository && root.version !== undefined
        ? [{by: 'the request', version: root.version}]
        : [],
    )
    const required = packages.flatMap(({repository: by, dependencies}) =>
      dependencies.flatMap(({package: name, version}) => (name === repository ? [{by, version}] : [])),
    )
    const bytes = [
      ...requested.filter(({version}) => isDigest(version) || isAlias(version)),
      ...required.filter(({version}) => isDigest(version)),
    ][0]
    const constraint = required.find(({version}) => !isDigest(version))
    if (bytes === undefined || constraint === undefined) return []
    const message = `${repository} is required as ${bytes.version} by ${bytes.by}, and as ${constraint.version} by ${constraint.by}: Crossplane never accepts both, not even for the same bytes`
    return [{severity: 'warning', rule: 'xpkg-bytes-and-version', message, subject: {package: repository}}]
  })
}

/** Reports whether a requested tag is not a version, such as `latest`. */
function isAlias(version: string): boolean {
  return CONSTRAINT_RULES.some(rules => candidateVersion(version, rules) === undefined)
}

function cycles(packages: readonly SelectedXpkg[]): readonly Diagnostic[] {
  const byName = new Map(packages.map(selected => [selected.repository, selected]))
  const isDone = new Set<string>()
  const path: string[] = []
  const notes: Diagnostic[] = []
  const visit = (repository: string) => {
    const start = path.indexOf(repository)
    if (start !== -1) notes.push(cycleNote([...path.slice(start), repository]))
    if (start !== -1 || isDone.has(repository)) return
    path.push(repository)
    for (const dependency of byName.get(repository)?.dependencies ?? []) visit(dependency.package)
    path.pop()
    isDone.add(repository)
  }
  for (const {repository} of packages) visit(repository)
  return notes
}

function cycleNote(path: readonly string[]): Diagnostic {
  const message = `the packages depend on each other: ${path.join(' → ')}; Crossplane installs no new dependency of any package while there is a cycle`
  return {severity: 'warning', rule: 'xpkg-cycle', message, subject: {package: path[0] ?? ''}}
}

/** Crossplane derives no name for a package that has its own. */
function sameNames(
  packages: readonly SelectedXpkg[],
  ownNames: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const byName = new Map<string, string>()
  return packages.flatMap(({repository, kind}): Diagnostic[] => {
    if (ownNames.has(repository)) return []
    const key = `${kind} ${derivedName(repository)}`
    const first = byName.get(key)
    if (first === undefined) {
      byName.set(key, repository)
      return []
    }
    const message = `${repository} gets the same name as ${first}, ${derivedName(repository)}: Crossplane installs only one of them`
    return [{severity: 'warning', rule: 'xpkg-same-name', message, subject: {package: repository}}]
  })
}
