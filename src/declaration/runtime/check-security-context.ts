import {listAll, quoted} from '../../text.js'
import {asObject, asText, type FieldPath, isJsonArray, type JsonObject} from '../../yaml/json-value.js'
import type {RuntimeCheck} from './runtime-check.js'

/**
 * Checks that a security context of a Pod or a container only restricts: whatever a package may do, its runtime cannot add
 * to it.
 */
export function checkSecurityContext(at: FieldPath, context: JsonObject, check: RuntimeCheck): void {
  for (const field of ['allowPrivilegeEscalation', 'privileged']) {
    check.is([...at, field], context[field] !== true, 'must be false: a runtime cannot add privileges')
  }
  const {readOnlyRootFilesystem} = context
  check.is(
    [...at, 'readOnlyRootFilesystem'],
    readOnlyRootFilesystem !== false,
    'must be true: a runtime cannot add privileges',
  )
  check.is([...at, 'runAsNonRoot'], context.runAsNonRoot !== false, `must be true: ${NO_ROOT}`)
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) {
    if (context[field] !== undefined) checkId([...at, field], context[field], check)
  }
  const {supplementalGroups: groups} = context
  if (isJsonArray(groups)) {
    groups.forEach((group, index) => {
      checkId([...at, 'supplementalGroups', index], group, check)
    })
  }
  const {add} = asObject(context.capabilities)
  check.is(
    [...at, 'capabilities', 'add'],
    add === undefined,
    'is not allowed: a runtime cannot add privileges',
  )
  checkProfile([...at, 'seccompProfile'], context.seccompProfile, check)
  checkProfile([...at, 'appArmorProfile'], context.appArmorProfile, check)
  const {fsGroupChangePolicy: policy} = context
  if (policy === undefined) return
  const isPolicy = POLICIES.includes(asText(policy))
  check.is(
    [...at, 'fsGroupChangePolicy'],
    isPolicy,
    `${quoted(asText(policy))} is not ${listAll(POLICIES, 'or')}`,
  )
}

const NO_ROOT = 'controllers do not run as root'
const MAX_ID = 2 ** 31 - 1
const POLICIES = ['OnRootMismatch', 'Always']
const PROFILES = ['RuntimeDefault', 'Localhost']

function checkId(path: FieldPath, id: unknown, check: RuntimeCheck): void {
  const isOther = typeof id === 'number' && id > 0 && id <= MAX_ID
  check.is(path, isOther, `must be an integer from 1 to ${MAX_ID}: ${NO_ROOT}`)
}

/** `Unconfined` would remove the restrictions of the container runtime. */
function checkProfile(path: FieldPath, profile: JsonObject[string] | undefined, check: RuntimeCheck): void {
  if (profile === undefined) return
  const {type, localhostProfile} = asObject(profile)
  const isProfile = PROFILES.includes(asText(type))
  check.is([...path, 'type'], isProfile, `${quoted(asText(type))} is not ${listAll(PROFILES, 'or')}`)
  const isLocal = (type === 'Localhost') === (localhostProfile !== undefined)
  check.is([...path, 'localhostProfile'], isLocal, 'is required for Localhost, and only valid for it')
}
