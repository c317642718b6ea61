import {checkObject, type ObjectError} from '../../../crd/instances/check-object.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../yaml/json-value.js'
import {isLabelValue} from '../../../reference/kubernetes-names.js'
import {quoted} from '../../../text.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import {containerErrors} from './container-errors.js'
import {DEPLOYMENT_SCHEMA} from './deployment-schema.js'
import {labelErrors, metadataErrors} from './metadata-errors.js'
import {textErrors} from './text-errors.js'

/** Reports why an API server rejects a Deployment whose fields have the right types. */
export function checkDeployment(deployment: JsonObject): readonly ObjectError[] {
  const spec = asObject(deployment.spec)
  const template = asObject(spec.template)
  return [
    ...checkObject({spec}, DEPLOYMENT_SCHEMA),
    ...textErrors({spec}, DEPLOYMENT_SCHEMA),
    ...metadataErrors(asObject(template.metadata), ['spec', 'template', 'metadata']),
    ...rolloutErrors(spec),
    ...podErrors(asObject(template.spec)),
  ]
}

const DEFAULT_DEADLINE = 600

function rolloutErrors({strategy, minReadySeconds = 0, progressDeadlineSeconds}: JsonObject): ObjectError[] {
  const errors: ObjectError[] = []
  if (Number(progressDeadlineSeconds ?? DEFAULT_DEADLINE) <= Number(minReadySeconds)) {
    const message = 'it must be greater than minReadySeconds'
    errors.push({place: ['spec', 'progressDeadlineSeconds'], message})
  }
  const {type, rollingUpdate} = asObject(strategy)
  if (!isJsonObject(rollingUpdate)) return errors
  const place = ['spec', 'strategy', 'rollingUpdate']
  if (type === 'Recreate') return [...errors, {place, message: 'the strategy Recreate has none'}]
  return [...errors, ...surgeErrors(rollingUpdate, place)]
}

function surgeErrors(rollingUpdate: JsonObject, place: FieldPath): ObjectError[] {
  const {maxUnavailable = '25%', maxSurge = '25%'} = rollingUpdate
  const message = 'it must be a number from 0 or a percentage'
  return [
    ...(isShare(maxUnavailable, 100) ? [] : [{place: [...place, 'maxUnavailable'], message}]),
    ...(isShare(maxSurge, Infinity) ? [] : [{place: [...place, 'maxSurge'], message}]),
    ...(isNone(maxUnavailable) && isNone(maxSurge)
      ? [{place: [...place, 'maxUnavailable'], message: 'it may not be 0 if maxSurge is 0'}]
      : []),
  ]
}

/** A number from 0, or a percentage up to a bound. */
function isShare(value: JsonValue, most: number): boolean {
  if (typeof value !== 'string') return Number(value) >= 0
  return /^\d+%$/.test(value) && Number.parseInt(value, 10) <= most
}

function isNone(value: JsonValue): boolean {
  return /^0+%?$/.test(typeof value === 'string' ? value : writeJson(value).trim())
}

const POD: FieldPath = ['spec', 'template', 'spec']

/** Fields of Pods that are no part of a Deployment's. */
const NOT_IN_TEMPLATES = ['activeDeadlineSeconds', 'ephemeralContainers']

function podErrors(pod: JsonObject): ObjectError[] {
  const volumes = asObjects(pod.volumes)
  const context = {
    volumes: new Set(volumes.map(({name}) => asText(name))),
    usesHostNetwork: pod.hostNetwork === true,
  }
  return [
    ...NOT_IN_TEMPLATES.filter(name => pod[name] !== undefined).map(name => ({
      place: [...POD, name],
      message: 'a Deployment has none',
    })),
    ...labelErrors(asObject(pod.nodeSelector), [...POD, 'nodeSelector']),
    ...['affinity', 'topologySpreadConstraints'].flatMap(name => selectorErrors(pod[name], [...POD, name])),
    ...nameErrors(pod),
    ...volumes.flatMap((volume, index) => volumeErrors(volume, [...POD, 'volumes', index])),
    ...asObjects(pod.tolerations).flatMap((one, index) =>
      tolerationErrors(one, [...POD, 'tolerations', index]),
    ),
    ...['initContainers', 'containers'].flatMap(list =>
      asObjects(pod[list]).flatMap((container, index) =>
        containerErrors(container, [...POD, list, index], context),
      ),
    ),
  ]
}

const SELECTORS = ['labelSelector', 'namespaceSelector']

/** Reports what no label can be in the selectors of Pods and namespaces within a value. */
function selectorErrors(value: JsonValue | undefined, place: FieldPath): readonly ObjectError[] {
  if (isJsonArray(value)) return value.flatMap((part, index) => selectorErrors(part, [...place, index]))
  return Object.entries(asObject(value)).flatMap(([name, part]) =>
    SELECTORS.includes(name)
      ? [
          ...labelErrors(asObject(asObject(part).matchLabels), [...place, name, 'matchLabels']),
          ...asObjects(asObject(part).matchExpressions).flatMap((term, index) =>
            termErrors(term, [...place, name, 'matchExpressions', index, 'values']),
          ),
        ]
      : selectorErrors(part, [...place, name]),
  )
}

function termErrors({operator, values}: JsonObject, place: FieldPath): readonly ObjectError[] {
  const texts = asTexts(values)
  if (['In', 'NotIn'].includes(asText(operator)) && texts.length === 0)
    return [{place, message: `the operator ${asText(operator)} requires one`}]
  if (['Exists', 'DoesNotExist'].includes(asText(operator)) && texts.length > 0)
    return [{place, message: `the operator ${asText(operator)} takes none`}]
  return texts.flatMap((text, index) =>
    isLabelValue(text)
      ? []
      : [{place: [...place, index], message: `${quoted(text)} is not a valid label value`}],
  )
}

/** Init containers are checked last, as the server does. */
function nameErrors(pod: JsonObject): ObjectError[] {
  const seen = new Set<string>()
  return ['containers', 'initContainers'].flatMap(list =>
    asObjects(pod[list]).flatMap(({name}, index) => {
      const isRepeated = seen.has(asText(name))
      seen.add(asText(name))
      const place = [...POD, list, index, 'name']
      return isRepeated ? [{place, message: 'another container has the same name'}] : []
    }),
  )
}

function volumeErrors(volume: JsonObject, place: FieldPath): ObjectError[] {
  const sources = Object.keys(volume).filter(key => key !== 'name')
  return sources.length <= 1
    ? []
    : [{place, message: `it has more than one source: ${sources.join(' and ')}`}]
}

function tolerationErrors(
  {key, operator = 'Equal', value, effect, tolerationSeconds}: JsonObject,
  place: FieldPath,
): ObjectError[] {
  const at = (field: string, message: string) => ({place: [...place, field], message})
  return [
    ...(key === undefined && operator !== 'Exists'
      ? [at('operator', 'it must be Exists without a key')]
      : []),
    ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [at('effect', 'it must be NoExecute with tolerationSeconds')]
      : []),
    ...(operator === 'Exists' && value !== undefined ? [at('value', 'the operator Exists takes none')] : []),
    ...(operator === 'Equal' ? labelErrors({value: value ?? ''}, place) : []),
  ]
}
