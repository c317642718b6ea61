import type {Diagnostic} from '../../diagnostic.js'
import {EMPTY_CORE_GROUP} from '../../render/core-kinds.js'
import {isRefusedByDefault, permissionRules} from '../../render/permissions.js'
import {type CrdRequirement, crdRequirement} from '../../unpack/crd-requirement.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import type {Candidate} from './candidate.js'
import {isClusterScopedBuiltin} from './cluster-scoped-builtins.js'
import {dependencyFaults, type DependencyProblem} from './dependency-entries.js'
import {type KnownKinds, knownKinds} from './known-kinds.js'
import {listSome} from '../../text.js'

/** The rights that a package asks for: by owning CRDs, and by depending on others. */
export function checkPermissions(candidate: Candidate): Diagnostic[] {
  return [...ownedRights(candidate), ...neededRights(candidate)]
}

function ownedRights({crds}: Candidate): Diagnostic[] {
  return crds.flatMap(({document, definition}) => {
    const [, ...rules] = permissionRules([definition], [])
    if (definition.group === '' || !rules.some(isRefusedByDefault)) return []
    const message = `${definition.kind} is in ${definition.group}, a group that is Kubernetes' own`
    return [diagnosticAt(document, 'permissions-core', ['spec', 'group'], message)]
  })
}

function neededRights(candidate: Candidate): Diagnostic[] {
  const known = knownKinds(candidate)
  const isNamespaced = candidate.app?.value.permissionScope === 'Namespaced'
  return dependencyFaults(candidate, ({crd}) => {
    if (crd === '') return []
    const required = crdRequirement(crd)
    return [...wideRights(crd, required), ...(isNamespaced ? unreachable(required, known) : [])]
  })
}

function wideRights(crd: string, {resource, group}: CrdRequirement): DependencyProblem[] {
  const what = resource === '*' ? 'every kind' : resource
  const [, ...rules] = permissionRules([], [{crd}])
  if (rules.some(isRefusedByDefault)) {
    const where = group === '' ? "Kubernetes' core group" : `${group}, a group that is Kubernetes' own`
    return [
      {rule: 'permissions-core', field: 'crd', problem: `asks for every right over ${what} of ${where}`},
    ]
  }
  const isWide = resource === '*' || group.includes('*')
  if (!isWide || group === EMPTY_CORE_GROUP) return []
  const problem = `asks for every right over ${what} of ${group}, those to come included`
  return [{rule: 'permissions-wildcard', field: 'crd', problem}]
}

/** What a RoleBinding cannot give, as far as scopes are known. */
function unreachable({resource, group}: CrdRequirement, known: KnownKinds): DependencyProblem[] {
  const meant = resource === '*' ? known.ofGroup(group) : [known.named(group, resource)]
  const names = meant
    .filter(kind => kind !== undefined)
    .filter(kind => !kind.isOwn && kind.scope === 'Cluster')
    .map(({kind}) => kind)
  if (isClusterScopedBuiltin(resource, group)) names.push(resource)
  if (names.length === 0) return []
  const problem = `needs cluster-scoped kinds (${listSome(names)}), which no right within a namespace reaches`
  return [{rule: 'permissions-unreachable', field: 'crd', problem}]
}
