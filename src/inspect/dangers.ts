import {asObject, asText, asTexts, isJsonArray, type JsonValue} from '../yaml/json-value.js'

/** Returns why the value of a pod's or container's field is dangerous; undefined if it is not known to be. */
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
  allowPrivilegeEscalation: ifTrue('can gain privileges after it has started'),
  appArmorProfile: ifUnconfined('is not confined by AppArmor'),
  capabilities: capabilities,
  fsGroup: ifRoot("its volumes belong to root's group"),
  hostIPC: ifTrue("shares memory with the node's processes"),
  hostNetwork: ifTrue("uses the node's network, and can reach services that listen only there"),
  hostPath: always("reads or changes the node's files"),
  hostPID: ifTrue("sees the node's processes"),
  hostPort: always('uses a port of the node'),
  nodeName: always('selects its node'),
  priorityClassName: value =>
    asText(value).startsWith('system-')
      ? 'preempts other pods with the priority of Kubernetes components'
      : undefined,
  privileged: ifTrue('is root on the node'),
  procMount: value =>
    value === 'Unmasked' ? 'can read parts of /proc that are masked for containers' : undefined,
  runAsGroup: ifRoot("runs with root's group"),
  runAsNonRoot: value => (value === false ? 'can run as root' : undefined),
  runAsUser: ifRoot('runs as root'),
  seccompProfile: ifUnconfined('can make any system call'),
  seLinuxOptions,
  serviceAccountName: always('requests the permissions of another service account'),
  supplementalGroups: value =>
    isJsonArray(value) && value.includes(0) ? "runs with root's group" : undefined,
  sysctls: always('changes kernel settings'),
  windowsOptions: value =>
    asObject(value).hostProcess === true ? 'runs as a process of its Windows node' : undefined,
}

/** The types that the standard `baseline` allows. */
const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']

function seLinuxOptions(value: JsonValue): string | undefined {
  const {type, user, role} = asObject(value)
  const isOther = [user, role].some(each => asText(each) !== '') || !SELINUX_TYPES.includes(asText(type))
  return isOther ? 'is not confined by SELinux as other containers are' : undefined
}

function capabilities(value: JsonValue): string | undefined {
  const added = asTexts(asObject(value).add)
  return added.length === 0 ? undefined : `adds capabilities of root: ${added.join(', ')}`
}
