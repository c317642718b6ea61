import {
  asObject,
  asObjects,
  asText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {placedContainers} from './containers.js'

/** A setting that the security of a pod depends on. */
export interface PodSetting {
  /** Absent for settings of the pod. */
  readonly container?: string
  /** A path within the pod spec or within the container; annotations are those of the pod. */
  readonly field: string
  readonly value: JsonValue
}

const POD_FIELDS = [
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'nodeName',
  'priorityClassName',
  'serviceAccountName',
  'shareProcessNamespace',
]

/** How the profile of a container was named before Kubernetes 1.30; it is still obeyed. */
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/'

/** Returns the security settings of a pod, or of the template of one. */
export function podSettings(template: JsonObject): readonly PodSetting[] {
  const podSpec = asObject(template.spec)
  const flags = POD_FIELDS.map(field => ({field, value: podSpec[field] ?? false}))
  const hostPaths = asObjects(podSpec.volumes)
    .filter(({hostPath}) => isJsonObject(hostPath))
    .map(({name, hostPath}) => ({
      field: `volumes[${asText(name)}].hostPath`,
      value: asText(asObject(hostPath).path),
    }))
  return [
    ...annotationSettings(template),
    ...flags.filter(({value}) => value !== false && value !== ''),
    ...hostPaths,
    ...contextSettings(podSpec.securityContext),
    ...placedContainers(podSpec).flatMap(({container}) => containerSettings(container)),
  ].filter(setting => !isMaskedByUsers(setting, podSpec))
}

function annotationSettings({metadata}: JsonObject): readonly PodSetting[] {
  return Object.entries(asObject(asObject(metadata).annotations))
    .filter(([key]) => key.startsWith(APPARMOR))
    .map(([key, value]) => ({field: `annotations[${key}]`, value}))
}

function containerSettings(container: JsonObject): readonly PodSetting[] {
  const hostPorts = asObjects(container.ports).flatMap(({hostPort}, index) =>
    hostPort === undefined || hostPort === 0 ? [] : [{field: `ports[${index}].hostPort`, value: hostPort}],
  )
  const settings = [...contextSettings(container.securityContext), ...hostPorts, ...hostsOf(container)]
  return settings.map(setting => ({container: asText(container.name), ...setting}))
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe']
const HOOKS = ['postStart', 'preStop']

/** What the kubelet calls from the network of its node, where it is not the pod. */
function hostsOf(container: JsonObject): readonly PodSetting[] {
  const lifecycle = asObject(container.lifecycle)
  const handlers = [
    ...PROBES.map(name => ({name, handler: asObject(container[name])})),
    ...HOOKS.map(name => ({name: `lifecycle.${name}`, handler: asObject(lifecycle[name])})),
  ]
  return handlers.flatMap(({name, handler}) =>
    ['httpGet', 'tcpSocket'].flatMap(kind => {
      const value = asText(asObject(handler[kind]).host)
      return value === '' ? [] : [{field: `${name}.${kind}.host`, value}]
    }),
  )
}

function contextSettings(securityContext: JsonValue | undefined): readonly PodSetting[] {
  return Object.entries(asObject(securityContext)).map(([setting, value]) => ({
    field: `securityContext.${setting}`,
    value,
  }))
}

/** Root of the pod is then no root of the node, so that an unmasked /proc shows nothing of it. */
function isMaskedByUsers({field}: PodSetting, {hostUsers}: JsonObject): boolean {
  return hostUsers === false && field === 'securityContext.procMount'
}
