import type {Diagnostic} from '../../diagnostic.js'
import {parseImageName} from '../../reference/image-name.js'
import {CORE_KINDS, EMPTY_CORE_GROUP} from '../../render/core-kinds.js'
import {type CrdRequirement, crdRequirement} from '../../unpack/crd-requirement.js'
import type {Candidate} from './candidate.js'
import {dependencyFaults, type DependencyProblem} from './dependency-entries.js'
import {type KnownKind, type KnownKinds, knownKinds} from './known-kinds.js'
import {listSome} from '../../text.js'

/** What a package depends on, as far as the kinds are known: its own and those of Crossplane itself. */
export function checkDependencies(candidate: Candidate): Diagnostic[] {
  const known = knownKinds(candidate)
  return dependencyFaults(candidate, ({crd, package: repository}) => [
    ...(crd === '' ? [] : crdProblems(crdRequirement(crd), known)),
    ...(repository === undefined ? [] : packageProblems(repository)),
  ])
}

function crdProblems(required: CrdRequirement, known: KnownKinds): DependencyProblem[] {
  const {resource, group, version} = required
  if (group === EMPTY_CORE_GROUP) {
    return [crdProblem('depends-on-nothing', `asks for ${group}, a group of which no kind was ever released`)]
  }
  const kinds = known.ofGroup(group)
  if (resource === '*') return versionProblems(kinds, `any kind of ${group}`, version)
  const named = known.named(group, resource)
  if (named !== undefined) {
    return [...nameProblems(named, resource), ...versionProblems([named], named.plural, version)]
  }
  const isOnlyCore = CORE_KINDS.some(kind => kind.group === group) && !kinds.some(kind => kind.isOwn)
  if (!isOnlyCore) return []
  return [crdProblem('depends-on-name', `names ${resource}, and Crossplane has no such kind in ${group}`)]
}

function crdProblem(rule: string, problem: string): DependencyProblem {
  return {rule, field: 'crd', problem}
}

function nameProblems({plural, kind}: KnownKind, resource: string): DependencyProblem[] {
  if (resource === plural) return []
  return [crdProblem('depends-on-name', `says ${resource}, and the plural of ${kind} is ${plural}`)]
}

function versionProblems(
  kinds: readonly KnownKind[],
  name: string,
  version: string | undefined,
): DependencyProblem[] {
  const versions = [...new Set(kinds.flatMap(kind => kind.versions))]
  if (version === undefined || versions.length === 0 || versions.includes(version)) return []
  const problem = `asks for ${name} as ${version}, and it exists as ${listSome(versions)}`
  return [crdProblem('depends-on-version', problem)]
}

function packageProblems(repository: string): DependencyProblem[] {
  const name = parseImageName(repository)
  if (name !== undefined && name.tag === undefined && name.digest === undefined) return []
  const problem =
    name === undefined
      ? `names ${JSON.stringify(repository)}, which is no repository`
      : `names a version of ${name.path}, and any version will do`
  return [{rule: 'depends-on-package', field: 'package', problem}]
}
