import type {Diagnostic} from '../../diagnostic.js'
import {escaped, listAll} from '../../text.js'
import {CORE} from './xpkg-model.js'

const MAX_REQUIREMENTS = 3

/** Versions of another kind, and an invalid constraint: see `explain-xpkgs.ts`. */
const OTHER_CAUSE = /; (?:\S+ is a \w+, not a \w+|this is not a constraint on versions)$/

/** Returns which requirements on one package no version satisfies together; undefined if that is not the cause, or not the only one. */
export function conflictInWords(
  diagnostics: readonly Diagnostic[],
  coreVersion: string | undefined,
): string | undefined {
  if (diagnostics.some(({message}) => OTHER_CAUSE.test(message))) return undefined
  const conflicts = [...byPackage(diagnostics)].filter(([, {candidates}]) => candidates.length === 0)
  const [[name, {requirements}] = ['', {requirements: []}], ...others] = conflicts
  if (requirements.length === 0 || requirements.length > MAX_REQUIREMENTS || others.length > 0)
    return undefined
  const constraints = listAll(requirements.map(escaped))
  return name === CORE
    ? `${CORE} ${escaped(coreVersion ?? '')} does not satisfy ${constraints}`
    : `no version of ${escaped(name)} satisfies ${constraints}`
}

interface Required {
  readonly requirements: readonly string[]
  /** The versions that satisfy all of them. */
  readonly candidates: readonly string[]
}

function byPackage(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, Required> {
  const packages = new Map<string, Required>()
  for (const {subject} of diagnostics) {
    const {package: name, requirement = '', candidates} = subject ?? {}
    if (name === undefined || requirement === '' || candidates === undefined) continue
    const before = packages.get(name) ?? {requirements: [], candidates}
    packages.set(name, {
      requirements: [...new Set([...before.requirements, requirement])],
      candidates: before.candidates.filter(candidate => candidates.includes(candidate)),
    })
  }
  return packages
}
