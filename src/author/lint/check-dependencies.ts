import type {Diagnostic} from '../../diagnostic.js'
import {parseImageName} from '../../reference/image-name.js'
import {CORE_KINDS, EMPTY_CORE_GROUP} from '../../render/core-kinds.js'
import {type CrdRequirement, crdRequirement} from '../../unpack/crd-requirement.js'
import type {Candidate} from './candidate.js'
import {dependencyDiagnostics, type DependencyDiagnostic} from './dependency-entries.js'
import {type KnownKind, type KnownKinds, knownKinds} from './known-kinds.js'
import {listSome} from '../../text.js'

/** Reports dependencies that no package can satisfy, as far as the kinds are known: those of the package and of Crossplane. */
export function checkDependencies(candidate: Candidate): Diagnostic[] {
  const knownCrds = knownKinds(candidate)
  return dependencyDiagnostics(candidate, ({crd, package: repository}) => [
    ...(crd === '' ? [] : crdDiagnostics(crdRequirement(crd), knownCrds)),
    ...(repository === undefined ? [] : packageDiagnostics(repository)),
  ])
}

function crdDiagnostics(required: CrdRequirement, knownCrds: KnownKinds): DependencyDiagnostic[] {
  const {resource, group, version} = required
  if (group === EMPTY_CORE_GROUP) {
    return [crdDiagnostic('depends-on-nothing', `requires ${group}, a group without any released kind`)]
  }
  const kinds = knownCrds.ofGroup(group)
  if (resource === '*') return checkVersions(kinds, `any kind of ${group}`, version)
  const named = knownCrds.named(group, resource)
  if (named !== undefined) {
    return [...checkNames(named, resource), ...checkVersions([named], named.plural, version)]
  }
  const isOnlyCore = CORE_KINDS.some(kind => kind.group === group) && !kinds.some(kind => kind.isOwn)
  if (!isOnlyCore) return []
  return [
    crdDiagnostic('depends-on-name', `names ${resource}, which is not a kind of ${group} in Crossplane`),
  ]
}

function crdDiagnostic(rule: string, text: string): DependencyDiagnostic {
  return {rule, field: 'crd', text}
}

function checkNames({plural, kind}: KnownKind, resource: string): DependencyDiagnostic[] {
  if (resource === plural) return []
  return [crdDiagnostic('depends-on-name', `names ${resource}, but the plural of ${kind} is ${plural}`)]
}

function checkVersions(
  kinds: readonly KnownKind[],
  name: string,
  version: string | undefined,
): DependencyDiagnostic[] {
  const versions = [...new Set(kinds.flatMap(kind => kind.versions))]
  if (version === undefined || versions.length === 0 || versions.includes(version)) return []
  const text = `requires version ${version} of ${name}, which exists as ${listSome(versions)}`
  return [crdDiagnostic('depends-on-version', text)]
}

function packageDiagnostics(repository: string): DependencyDiagnostic[] {
  const name = parseImageName(repository)
  if (name !== undefined && name.tag === undefined && name.digest === undefined) return []
  const text =
    name === undefined
      ? `names ${JSON.stringify(repository)}, which is not a repository`
      : `names a version of ${name.path}, which has no effect: any version satisfies it`
  return [{rule: 'depends-on-package', field: 'package', text}]
}
