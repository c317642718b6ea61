import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {placedContainers} from './containers.js'
import {type ControllerPod, podSpecOf} from './controller-pod.js'
import {dangerOf} from './dangers.js'

/** The outcome of rendering a requested setting. */
type Outcome = 'kept' | 'removed' | 'replaced'

/** A requested setting that changes the security of the pod. */
export interface RequestedSetting {
  /** Absent for settings of the pod. */
  readonly container?: string
  /** A path within the pod spec or within the container. */
  readonly field: string
  readonly value: JsonValue
  readonly byDefault: Outcome
  /** With `--allow-full-deployment`. */
  readonly ifAllowed: Outcome
  /** The reason why it is dangerous; absent if it is not known to be. */
  readonly danger?: string
}

/** The security settings that the package requests, compared with those of the rendered pods. */
export function requestedSettings({declared, confined, allowed}: ControllerPod): RequestedSetting[] {
  const [byDefault, ifAllowed] = [confined, allowed].map(pod => valuesByKey(podSettings(podSpecOf(pod))))
  return podSettings(podSpecOf(declared)).map(({value, ...place}) => {
    const key = keyOf(place)
    const danger = dangerOf(place.field, value)
    return {
      ...place,
      value,
      byDefault: outcome(value, byDefault?.get(key)),
      ifAllowed: outcome(value, ifAllowed?.get(key)),
      danger,
    }
  })
}

type Setting = Pick<RequestedSetting, 'container' | 'field' | 'value'>

const POD_FIELDS = [
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'nodeName',
  'priorityClassName',
  'serviceAccountName',
  'shareProcessNamespace',
]

function podSettings(podSpec: JsonObject): Setting[] {
  const flags = POD_FIELDS.map(field => ({field, value: podSpec[field] ?? false}))
  const hostPaths = asObjects(podSpec.volumes).map(({name, hostPath}) => ({
    field: `volumes[${asText(name)}].hostPath`,
    value: asText(asObject(hostPath).path),
  }))
  return [
    ...[...flags, ...hostPaths].filter(({value}) => value !== false && value !== ''),
    ...settings(podSpec.securityContext),
    ...placedContainers(podSpec).flatMap(({container}) => containerSettings(container)),
  ]
}

function containerSettings({name, securityContext, ports}: JsonObject): Setting[] {
  const hostPorts = asObjects(ports).flatMap(({hostPort}, index) =>
    hostPort === undefined || hostPort === 0 ? [] : [{field: `ports[${index}].hostPort`, value: hostPort}],
  )
  return [...settings(securityContext), ...hostPorts].map(setting => ({container: asText(name), ...setting}))
}

function settings(securityContext: JsonValue | undefined): Setting[] {
  return Object.entries(asObject(securityContext)).map(([setting, value]) => ({
    field: `securityContext.${setting}`,
    value,
  }))
}

/** The first of two settings for one place is used. */
function valuesByKey(list: readonly Setting[]): ReadonlyMap<string, JsonValue> {
  return new Map(list.toReversed().map(setting => [keyOf(setting), setting.value]))
}

function keyOf({container, field}: Pick<Setting, 'container' | 'field'>): string {
  return JSON.stringify([container, field])
}

function outcome(value: JsonValue, then: JsonValue | undefined): Outcome {
  if (then === undefined) return 'removed'
  return jsonEqual(value, then) ? 'kept' : 'replaced'
}
