import type {Policy, Sourced} from '../../declaration/policy/policy.js'
import {objectName} from '../../plan/cluster/crds/crd-texts.js'
import {canonicalName} from '../../reference/repository-name.js'
import {ownerRuleFor} from '../../resolve/solver/owner-rule.js'
import {listAll, listSome, quoted} from '../../text.js'
import type {JudgedPackage, JudgedPermission} from './judged-package.js'
import type {JudgedCrdChange, JudgedPlan} from './judged-plan.js'

/** What a policy rejects of a package, and the line of the field or rule. */
export interface Violation {
  readonly rule: string
  readonly message: string
  readonly line: number
  readonly field: string
  /** The object, if it is one. */
  readonly object?: string
}

/** Returns what the fields of a policy reject of a package. */
export function builtInViolations(
  {owners, reject}: Pick<Policy, 'owners' | 'reject'>,
  judged: JudgedPackage,
): readonly Violation[] {
  const {widePermissions, imagesWithoutDigest, privilegedDeployments} = reject
  return [
    ...foreignCrds(owners, judged),
    ...(widePermissions === undefined ? [] : widePermissionViolations(widePermissions, judged)),
    ...(imagesWithoutDigest === undefined ? [] : unpinnedImages(imagesWithoutDigest, judged)),
    ...(privilegedDeployments === undefined ? [] : privilegedPods(privilegedDeployments, judged)),
  ]
}

/** A package must not define what the policy trusts another one to define. A record in a file could be of any package. */
function foreignCrds(owners: Policy['owners'], {crds, pkg, isUnnamed}: JudgedPackage): readonly Violation[] {
  if (isUnnamed === true) return []
  const repository = canonicalName(pkg.repository)
  return crds.flatMap(({name, group}) => {
    const rule = ownerRuleFor(
      group,
      owners.map(owner => ({...owner, identity: owner.package})),
    )
    if (rule === undefined || repository === canonicalName(rule.identity)) return []
    const {line, identity} = rule
    return [
      {
        ...{rule: 'policy-owner', line, field: `owners["${rule.group}"]`, object: objectName(name)},
        message: `${objectName(name)}: ${rule.group} is assigned to ${identity}`,
      },
    ]
  })
}

function widePermissionViolations(
  {reasons, line}: NonNullable<Policy['reject']['widePermissions']>,
  {permissions}: JudgedPackage,
): readonly Violation[] {
  return permissions.flatMap(permission => {
    const wide = permission.wide.filter(reason => reasons.includes(reason))
    if (wide.length === 0) return []
    const message = `the permission to ${permissionText(permission)} is wide: ${listAll(wide)}`
    return [{rule: 'policy-wide-permission', message, line, field: 'reject.widePermissions'}]
  })
}

function permissionText({verbs, resources, apiGroups, nonResourceURLs, scope}: JudgedPermission): string {
  const groups = apiGroups.map(group => (group === '' ? 'core' : group))
  const of =
    resources.length === 0 ? nonResourceURLs.join(', ') : `${resources.join(', ')} of ${groups.join(', ')}`
  return `${verbs.join(', ')} ${of}${scope === 'Cluster' ? ' in the whole cluster' : ''}`
}

function unpinnedImages({line}: Sourced<object>, {images}: JudgedPackage): readonly Violation[] {
  return images
    .filter(({digest}) => digest === '')
    .map(({reference, object, container}) => ({
      ...{rule: 'policy-image-digest', line, field: 'reject.imagesWithoutDigest', object},
      message: `${object}: the image ${quoted(reference)} of ${container} has no digest`,
    }))
}

function privilegedPods({line}: Sourced<object>, {pkg}: JudgedPackage): readonly Violation[] {
  return pkg.privileged.map(reason => ({
    ...{rule: 'policy-privileged', line, field: 'reject.privilegedDeployments', message: reason},
    object: reason.slice(0, reason.indexOf(': ')),
  }))
}

/** Returns what the fields of a policy reject of a plan. */
export function planViolations(
  {crdChanges}: Policy['reject'],
  {crds}: Pick<JudgedPlan, 'crds'>,
): readonly Violation[] {
  if (crdChanges === undefined) return []
  const {changes: rejected, line} = crdChanges
  return crds.flatMap(crd => {
    const own = crd.changes.filter(change => change === 'unknown' || rejected.includes(change))
    if (own.length === 0) return []
    return [
      {
        ...{rule: 'policy-crd-change', line, field: 'reject.crdChanges', object: objectName(crd.name)},
        message: `${objectName(crd.name)}: ${listAll(own.map(change => changeText(change, crd)))}`,
      },
    ]
  })
}

function changeText(change: JudgedCrdChange['changes'][number], crd: JudgedCrdChange): string {
  const {removedVersions, unservedVersions, fields} = crd
  switch (change) {
    case 'unknown':
      return 'its former content cannot be read (unknown)'
    case 'stored-version-removed':
    case 'version-removed':
      return `it loses ${listSome(removedVersions)} (${change})`
    case 'version-unserved':
      return `it no longer serves ${listSome(unservedVersions)} (${change})`
    case 'fields-pruned':
    case 'schema-narrowed':
      return `it accepts less in ${listSome(fields)} (${change})`
    default:
      return change
  }
}
