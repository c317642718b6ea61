import {asObject, asObjects, asText, asTexts, isJsonArray, type JsonValue} from '../yaml/json-value.js'

/** Returns why the value of a pod's or container's field is dangerous; undefined if it is not known to be. */
export function dangerOf(field: string, value: JsonValue): string | undefined {
  return dangerIn(BASELINE, field, value) ?? dangerIn(OTHERS, field, value)
}

/** Returns why the Pod Security Standard `baseline` forbids the value of a field; undefined if it allows it. */
export function baselineDangerOf(field: string, value: JsonValue): string | undefined {
  return dangerIn(BASELINE, field, value)
}

type Dangers = Readonly<Record<string, Danger>>

/** Annotations are those of AppArmor; else the last part of the field decides. */
function dangerIn(dangers: Dangers, field: string, value: JsonValue): string | undefined {
  const setting = field.startsWith('annotations[') ? 'annotations' : field.replace(/^.*\./, '')
  return Object.hasOwn(dangers, setting) ? dangers[setting]?.(value) : undefined
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

const NOT_APPARMOR = 'is not confined by AppArmor'
const NOT_SELINUX = 'is not confined by SELinux as other containers are'

/** What the current `baseline` forbids (https://kubernetes.io/docs/concepts/security/pod-security-standards/). */
const BASELINE: Dangers = {
  annotations: value => (/^(runtime\/default$|localhost\/|$)/.test(asText(value)) ? undefined : NOT_APPARMOR),
  appArmorProfile: ifUnconfined(NOT_APPARMOR),
  capabilities,
  host: always('makes the node call another host'),
  hostIPC: ifTrue("shares memory with the node's processes"),
  hostNetwork: ifTrue("uses the node's network, and can reach services that listen only there"),
  hostPath: always("reads or changes the node's files"),
  hostPID: ifTrue("sees the node's processes"),
  hostPort: always('uses a port of the node'),
  privileged: ifTrue('is root on the node'),
  procMount: value =>
    value === 'Unmasked' ? 'can read parts of /proc that are masked for containers' : undefined,
  seccompProfile: ifUnconfined('can make any system call'),
  seLinuxOptions,
  sysctls,
  windowsOptions: value =>
    asObject(value).hostProcess === true ? 'runs as a process of its Windows node' : undefined,
}

const OTHERS: Dangers = {
  allowPrivilegeEscalation: ifTrue('can gain privileges after it has started'),
  fsGroup: ifRoot("its volumes belong to root's group"),
  nodeName: always('selects its node'),
  priorityClassName: value =>
    asText(value).startsWith('system-')
      ? 'preempts other pods with the priority of Kubernetes components'
      : undefined,
  runAsGroup: ifRoot("runs with root's group"),
  runAsNonRoot: value => (value === false ? 'can run as root' : undefined),
  runAsUser: ifRoot('runs as root'),
  serviceAccountName: always('requests the permissions of another service account'),
  supplementalGroups: value =>
    isJsonArray(value) && value.includes(0) ? "runs with root's group" : undefined,
}

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']

function seLinuxOptions(value: JsonValue): string | undefined {
  const {type, user, role} = asObject(value)
  const isOther = [user, role].some(name => asText(name) !== '') || !SELINUX_TYPES.includes(asText(type))
  return isOther ? NOT_SELINUX : undefined
}

/** Those that container runtimes give by default, but for NET_RAW. */
const CAPABILITIES = [
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE'],
  ...['SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
]

function capabilities(value: JsonValue): string | undefined {
  const added = asTexts(asObject(value).add).filter(name => !CAPABILITIES.includes(name))
  return added.length === 0 ? undefined : `adds capabilities of root: ${added.join(', ')}`
}

/** Those that are of one pod alone. */
const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]

function sysctls(value: JsonValue): string | undefined {
  const isAllowed = asObjects(value).every(({name}) => SYSCTLS.includes(asText(name)))
  return isAllowed ? undefined : 'changes kernel settings'
}
