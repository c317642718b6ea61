import type {Diagnostic} from '../../../diagnostic.js'
import {crdRequirement} from '../../../unpack/crd-requirement.js'
import {diagnosticAt} from '../../../unpack/diagnostics.js'
import {asObjects, asText} from '../../../yaml/json-value.js'
import type {Candidate} from '../candidate.js'
import {checkClaim} from './check-claim.js'
import {checkClass, managedOf} from './check-class.js'
import {checkManaged, checkReclaimPolicies} from './check-managed.js'
import {checkProvider} from './check-provider.js'
import {canHaveClaims} from './claim-groups.js'
import {type ServiceKind, type ServiceRole, serviceKinds} from './service-kind.js'

/** Reports kinds of managed services that the controllers of claims cannot use, or that users cannot. */
export function checkServices(candidate: Candidate): Diagnostic[] {
  const services = serviceKinds(candidate.crds)
  const ofRole = (role: ServiceRole) => services.filter(service => service.role === role)
  const [managed, classes, claims] = [ofRole('managed'), ofRole('class'), ofRole('claim')]
  const classOf = (service: ServiceKind) => classes.find(other => managedOf(other, [service]) !== undefined)
  return [
    ...managed.flatMap(service => checkManaged(service, classOf(service))),
    ...checkReclaimPolicies(managed),
    ...classes.flatMap(service => checkClass(service, managed)),
    ...claims.flatMap(service => checkClaim(service, managed.length > 0)),
    ...ofRole('provider').flatMap(checkProvider),
    ...(classes.length > 0 && claims.length === 0 ? checkClaimPermissions(candidate) : []),
  ]
}

/** A controller binds claims only if its package has permissions on them. */
function checkClaimPermissions({app, crds}: Candidate): Diagnostic[] {
  if (app === undefined) return []
  const owned = new Set(crds.map(({definition}) => definition.group))
  const required = asObjects(app.value.fields.dependsOn).map(({crd}) => crdRequirement(asText(crd)))
  if (required.some(({group}) => canHaveClaims(group, owned))) return []
  const message =
    'the package has classes, but depends on no claims that use them, such as *.database.crossplane.io'
  return [diagnosticAt(app.document, 'claims-permission', ['dependsOn'], message)]
}
