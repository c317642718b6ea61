import {asObject, asText, asTexts, isJsonArray, type JsonValue} from '../yaml/json-value.js'

/** Why it is dangerous that a pod or container has this value at a field; undefined where it is not known to be. */
export function dangerOf(field: string, value: JsonValue): string | undefined {
  const setting = field.replace(/^.*\./, '')
  return Object.hasOwn(DANGERS, setting) ? DANGERS[setting]?.(value) : undefined
}

type Danger = (value: JsonValue) => string | undefined

const ifTrue =
  (why: string): Danger =>
  value =>
    value === true ? why : undefined
const ifRoot =
  (why: string): Danger =>
  value =>
    value === 0 ? why : undefined
const always =
  (why: string): Danger =>
  () =>
    why
const ifUnconfined =
  (why: string): Danger =>
  value =>
    asText(asObject(value).type) === 'Unconfined' ? why : undefined

/** By the last part of the field (https://kubernetes.io/docs/concepts/security/pod-security-standards/). */
const DANGERS: Readonly<Record<string, Danger>> = {
  allowPrivilegeEscalation: ifTrue('may gain rights after it has started'),
  appArmorProfile: ifUnconfined('takes off the confinement by AppArmor'),
  capabilities: capabilities,
  fsGroup: ifRoot("its volumes belong to root's group"),
  hostIPC: ifTrue("shares memory with the node's processes"),
  hostNetwork: ifTrue("uses the node's network, and reaches what listens only there"),
  hostPath: always("reads or changes the node's files"),
  hostPID: ifTrue("sees the node's processes"),
  hostPort: always('takes a port of the node'),
  nodeName: always('runs on a node of its own choice'),
  priorityClassName: value =>
    asText(value).startsWith('system-') ? 'displaces other pods as if it were part of Kubernetes' : undefined,
  privileged: ifTrue('is root on the node'),
  procMount: value =>
    value === 'Unmasked' ? "sees what the kernel's proc hides from containers" : undefined,
  runAsGroup: ifRoot("runs with root's group"),
  runAsNonRoot: value => (value === false ? 'may run as root' : undefined),
  runAsUser: ifRoot('runs as root'),
  seccompProfile: ifUnconfined('may make every system call'),
  serviceAccountName: always('asks for the rights of another account'),
  supplementalGroups: value =>
    isJsonArray(value) && value.includes(0) ? "runs with root's group" : undefined,
  sysctls: always('changes settings of the kernel'),
}

function capabilities(value: JsonValue): string | undefined {
  const added = asTexts(asObject(value).add)
  return added.length === 0 ? undefined : `gains rights of root: ${added.join(', ')}`
}
