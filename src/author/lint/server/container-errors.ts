import type {ObjectError} from '../../../crd/instances/check-object.js'
import {isQualifiedName} from '../../../reference/kubernetes-names.js'
import {nanosOf} from '../../../unpack/go/quantity.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../yaml/json-value.js'
import {isPortName} from './text-errors.js'

/** What a container refers to outside of itself. */
interface PodContext {
  readonly volumes: ReadonlySet<string>
  readonly usesHostNetwork: boolean
}

/** Reports the parts of a container that an API server rejects because of other parts, or of its Pod. */
export function containerErrors(
  container: JsonObject,
  place: FieldPath,
  {volumes, usesHostNetwork}: PodContext,
): readonly ObjectError[] {
  return [
    ...environmentErrors(container, place),
    ...portErrors(asObjects(container.ports), [...place, 'ports'], usesHostNetwork),
    ...mountErrors(asObjects(container.volumeMounts), [...place, 'volumeMounts'], volumes),
    ...actionErrors(container, place),
    ...resourceErrors(asObject(container.resources), [...place, 'resources']),
  ]
}

function environmentErrors({env, envFrom}: JsonObject, place: FieldPath): ObjectError[] {
  return [
    ...asObjects(env).flatMap(({value, valueFrom}, index) => {
      const at = [...place, 'env', index, 'valueFrom']
      if (!isJsonObject(valueFrom)) return []
      if (asText(value) !== '') return [{place: at, message: 'it may not be given beside a value'}]
      return oneChoice(valueFrom, Object.keys(valueFrom), at)
    }),
    ...asObjects(envFrom).flatMap((source, index) =>
      oneChoice(source, ['configMapRef', 'secretRef'], [...place, 'envFrom', index]),
    ),
  ]
}

/** Reports a union of which not exactly one part is given. */
function oneChoice(union: JsonObject, names: readonly string[], place: FieldPath): ObjectError[] {
  const chosen = names.filter(name => union[name] !== undefined)
  if (chosen.length === 1) return []
  const message = chosen.length === 0 ? 'it must have a source' : `it has both ${chosen.join(' and ')}`
  return [{place, message}]
}

function portErrors(ports: readonly JsonObject[], place: FieldPath, usesHostNetwork: boolean): ObjectError[] {
  const seen = new Set<string>()
  return ports.flatMap(({name, containerPort, hostPort}, index) => {
    const errors: ObjectError[] = []
    const text = asText(name)
    if (text !== '' && seen.has(text))
      errors.push({place: [...place, index, 'name'], message: 'another port has the same name'})
    seen.add(text)
    if (usesHostNetwork && hostPort !== undefined && hostPort !== containerPort)
      errors.push({
        place: [...place, index, 'hostPort'],
        message: 'it must be the containerPort with hostNetwork',
      })
    return errors
  })
}

function mountErrors(
  mounts: readonly JsonObject[],
  place: FieldPath,
  volumes: ReadonlySet<string>,
): ObjectError[] {
  return mounts.flatMap(({name, subPath, subPathExpr}, index) => {
    const at = (field: string, message: string) => ({place: [...place, index, field], message})
    return [
      ...(volumes.has(asText(name)) ? [] : [at('name', 'the Pod has no volume with this name')]),
      ...(subPath !== undefined && subPathExpr !== undefined
        ? [at('subPathExpr', 'it may not be given beside subPath')]
        : []),
    ]
  })
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe']
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep']

function actionErrors(container: JsonObject, place: FieldPath): ObjectError[] {
  const isInit = place.includes('initContainers') && container.restartPolicy !== 'Always'
  const actions = [...PROBES, 'lifecycle'].filter(name => container[name] !== undefined)
  if (isInit)
    return actions.map(name => ({place: [...place, name], message: 'an init container that ends has none'}))
  const probes = actions.filter(name => PROBES.includes(name)).map(name => [name] as const)
  const hooks = Object.keys(asObject(container.lifecycle))
    .filter(name => name === 'preStop' || name === 'postStart')
    .map(name => ['lifecycle', name] as const)
  return [
    ...[...probes, ...hooks].flatMap(path => {
      const action = path.reduce<JsonObject>((part, step) => asObject(part[step]), container)
      return [
        ...oneChoice(action, HANDLERS, [...place, ...path]),
        ...handlerErrors(action, [...place, ...path]),
      ]
    }),
    ...(asObject(container.readinessProbe).terminationGracePeriodSeconds === undefined
      ? []
      : [
          {
            place: [...place, 'readinessProbe', 'terminationGracePeriodSeconds'],
            message: 'a readinessProbe has none',
          },
        ]),
  ]
}

function handlerErrors(action: JsonObject, place: FieldPath): ObjectError[] {
  return ['httpGet', 'tcpSocket'].flatMap(name => {
    const handler = action[name]
    if (!isJsonObject(handler) || isPort(handler.port ?? 0)) return []
    return [{place: [...place, name, 'port'], message: 'it must be a port or the name of one'}]
  })
}

function isPort(port: JsonValue): boolean {
  if (typeof port !== 'string') return Number(port) >= 1 && Number(port) <= 65_535
  return isPortName(port)
}

const STANDARD = /^(?:cpu|memory|ephemeral-storage|hugepages-.+)$/

function resourceErrors({limits, requests}: JsonObject, place: FieldPath): ObjectError[] {
  const lists = {limits: asObject(limits), requests: asObject(requests)}
  return (['limits', 'requests'] as const).flatMap(list =>
    Object.entries(lists[list]).flatMap(([name, quantity]): ObjectError[] => {
      const at = [...place, list, name]
      if (!isResource(name)) return [{place: at, message: 'it is not the name of a resource'}]
      const amount = nanosOf(asText(quantity)) ?? 0n
      if (amount < 0n) return [{place: at, message: 'it may not be negative'}]
      const most = nanosOf(asText(lists.limits[name] ?? null))
      return list === 'requests' && most !== undefined && amount > most
        ? [{place: at, message: `it is more than the limit of ${asText(lists.limits[name])}`}]
        : []
    }),
  )
}

/** Resources of others have a domain, which is not Kubernetes' own. */
function isResource(name: string): boolean {
  return STANDARD.test(name) || (name.includes('/') && isQualifiedName(name))
}
