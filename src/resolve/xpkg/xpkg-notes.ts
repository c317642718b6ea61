import type {Diagnostic} from '../../diagnostic.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {SelectedXpkg} from './resolve-xpkgs.js'

/** Reports what keeps Crossplane from installing a set of packages although all constraints hold. */
export function xpkgNotes(packages: readonly SelectedXpkg[]): readonly Diagnostic[] {
  return [...cycles(packages), ...sameNames(packages)]
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

function sameNames(packages: readonly SelectedXpkg[]): readonly Diagnostic[] {
  const byName = new Map<string, string>()
  return packages.flatMap(({repository, kind}): Diagnostic[] => {
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
