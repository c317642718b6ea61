import type {Diagnostic} from '../../diagnostic.js'
import {isDigest} from '../../reference/image-name.js'
import {type ConstraintRules, coreRules} from '../../xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../../xpkg/constraints/constraint.js'
import {readVersion} from '../../xpkg/constraints/version.js'
import type {SelectedXpkg} from './resolve-xpkgs.js'
import type {XpkgRoot} from './xpkg-catalog.js'

/** Reports the constraints of a set that hold for a version of Crossplane, and not for those from 2.3 on. */
export function nextCoreNotes(
  packages: readonly SelectedXpkg[],
  roots: readonly XpkgRoot[],
  coreVersion = '',
): readonly Diagnostic[] {
  if (coreRules(coreVersion).includes('v3')) return []
  const versions = new Map(packages.map(({repository, version}) => [repository, version]))
  const note = (by: string, name: string, constraint: string, effect: string): Diagnostic[] => {
    const version = versions.get(name)
    if (version === undefined || accepts(constraint, version, 'v3')) return []
    const message = `${by} ${name} ${constraint}, which ${version} satisfies for Crossplane ${coreVersion}, but not for 2.3 and later: ${effect}`
    return [{severity: 'warning', rule: 'xpkg-constraint-meaning', message, subject: {package: name}}]
  }
  return [
    ...roots.flatMap(({repository, constraint}) =>
      constraint === undefined
        ? []
        : note('the request is', repository, constraint, 'for these, another version is selected'),
    ),
    ...packages.flatMap(({repository, dependencies}) =>
      dependencies.flatMap(({package: name, version}) =>
        note(`${repository} requires`, name, version, `upgrading Crossplane makes ${repository} unhealthy`),
      ),
    ),
  ]
}

function accepts(constraint: string, version: string, rules: ConstraintRules): boolean {
  // A digest, and a version by its digest, mean the same for every version of Crossplane.
  if (isDigest(constraint) || isDigest(version)) return true
  const [read, candidate] = [readConstraint(constraint, rules), readVersion(version, rules)]
  return read !== undefined && candidate !== undefined && satisfies(read, candidate)
}
