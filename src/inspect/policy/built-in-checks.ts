import type {Policy, Sourced} from '../../declaration/policy/policy.js'
import {listAll, quoted} from '../../text.js'
import type {JudgedPackage, JudgedPermission} from './judged-package.js'

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
  {widePermissions, imagesWithoutDigest, privilegedDeployments}: Policy['reject'],
  judged: JudgedPackage,
): readonly Violation[] {
  return [
    ...(widePermissions === undefined ? [] : widePermissionViolations(widePermissions, judged)),
    ...(imagesWithoutDigest === undefined ? [] : unpinnedImages(imagesWithoutDigest, judged)),
    ...(privilegedDeployments === undefined ? [] : privilegedPods(privilegedDeployments, judged)),
  ]
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
