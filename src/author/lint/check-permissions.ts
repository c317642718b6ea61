import type {Diagnostic} from '../../diagnostic.js'
import {isBuiltinGroup} from '../../kubernetes/api-groups.js'
import {builtinKindOf} from '../../kubernetes/builtin-kinds.js'
import {EMPTY_CORE_GROUP} from '../../render/core-kinds.js'
import {isRejectedByDefault, permissionRules} from '../../render/permissions.js'
import {type CrdRequirement, crdRequirement} from '../../unpack/crd-requirement.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import type {Candidate} from './candidate.js'
import {dependencyDiagnostics, type DependencyDiagnostic} from './dependency-entries.js'
import {type KnownKinds, knownKinds} from './known-kinds.js'
import {listSome} from '../../text.js'
import {canHaveClaims} from './services/claim-groups.js'
import {serviceKinds} from './services/service-kind.js'

/** Reports permissions that a package requires, by owning CRDs and by depending on others. */
export function checkPermissions(candidate: Candidate): Diagnostic[] {
  return [...ownedPermissions(candidate), ...requiredPermissions(candidate)]
}

function ownedPermissions({crds}: Candidate): Diagnostic[] {
  return crds.flatMap(({document, definition}) => {
    const [, ...rules] = permissionRules([definition], [])
    if (definition.group === '' || !rules.some(isRejectedByDefault)) return []
    const message = `${definition.kind} is in ${describedGroup(definition.group)}`
    return [diagnosticAt(document, 'permissions-core', ['spec', 'group'], message)]
  })
}

function describedGroup(group: string): string {
  if (group === '') return 'the core API group of Kubernetes'
  return isBuiltinGroup(group)
    ? `${group}, an API group of Kubernetes`
    : `${group}, an API group reserved for Kubernetes`
}

function requiredPermissions(candidate: Candidate): Diagnostic[] {
  const kinds = knownKinds(candidate)
  const isNamespaced = candidate.app?.value.permissionScope === 'Namespaced'
  const isOfClaims = claimGroups(candidate)
  return dependencyDiagnostics(candidate, ({crd}) => {
    if (crd === '') return []
    const required = crdRequirement(crd)
    return [
      ...(isOfClaims(required) ? [] : widePermissions(crd, required, candidate.behavior !== undefined)),
      ...(isNamespaced ? unreachable(required, kinds) : []),
    ]
  })
}

/**
 * The controller of a package can write the status of claims and of other kinds of other packages: only permissions on
 * all kinds of a group include that.
 */
function claimGroups({crds, controller}: Candidate): (required: CrdRequirement) => boolean {
  const canBind = controller !== undefined || serviceKinds(crds).some(({role}) => role === 'class')
  const owned = new Set(crds.map(({definition}) => definition.group))
  return ({resource, group}) => canBind && resource === '*' && canHaveClaims(group, owned)
}

function widePermissions(
  crd: string,
  {resource, group}: CrdRequirement,
  hasTemplates: boolean,
): DependencyDiagnostic[] {
  const what = resource === '*' ? 'every kind' : resource
  const [, ...rules] = permissionRules([], [{crd}])
  if (rules.some(isRejectedByDefault)) {
    const text = `requires all permissions on ${what} of ${describedGroup(group)}`
    // What templates create needs them: their author has no choice, but their users have.
    const isCreated = hasTemplates && resource !== '*' && !group.includes('*')
    return [{rule: isCreated ? 'template-core-kind' : 'permissions-core', field: 'crd', text}]
  }
  const isWide = resource === '*' || group.includes('*')
  if (!isWide || group === EMPTY_CORE_GROUP) return []
  const text = `requires all permissions on ${what} of ${group}, including kinds that are added later`
  return [{rule: 'permissions-wildcard', field: 'crd', text}]
}

/** A RoleBinding grants no permissions on cluster-scoped kinds. */
function unreachable({resource, group}: CrdRequirement, kinds: KnownKinds): DependencyDiagnostic[] {
  const matching = resource === '*' ? kinds.ofGroup(group) : [kinds.named(group, resource)]
  const names = matching
    .filter(kind => kind !== undefined)
    .filter(kind => !kind.isOwn && kind.scope === 'Cluster')
    .map(({kind}) => kind)
  if (builtinKindOf(group, resource)?.scope === 'Cluster') names.push(resource)
  if (names.length === 0) return []
  const text = `requires cluster-scoped kinds (${listSome(names)}), which permissions in a namespace do not cover`
  return [{rule: 'permissions-unreachable', field: 'crd', text}]
}
