import {isLabelValue, isQualifiedName} from '../../reference/kubernetes-names.js'
import {listAll, quoted} from '../../text.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonObject,
  type JsonObject,
} from '../../yaml/json-value.js'
import {checkSecurityContext} from './check-security-context.js'
import type {RuntimeCheck} from './runtime-check.js'

/** Checks the values of a runtime that has the right types; `at` is its path. */
export function checkRuntime(at: FieldPath, runtime: JsonObject, check: RuntimeCheck): void {
  const {replicas} = runtime
  if (replicas !== undefined) {
    const isCount = typeof replicas === 'number' && replicas >= 0 && replicas <= MAX_INT32
    check.is([...at, 'replicas'], isCount, `must be an integer from 0 to ${MAX_INT32}`)
  }
  checkAnnotations([...at, 'annotations'], asObject(runtime.annotations), check)
  checkAnnotations([...at, 'podAnnotations'], asObject(runtime.podAnnotations), check)
  checkNodeSelector([...at, 'nodeSelector'], asObject(runtime.nodeSelector), check)
  asObjects(runtime.tolerations).forEach((toleration, index) => {
    checkToleration([...at, 'tolerations', index], toleration, check)
  })
  checkResources([...at, 'resources'], asObject(runtime.resources), check)
  checkEnv([...at, 'env'], asObjects(runtime.env), check)
  checkSecurityContext([...at, 'podSecurityContext'], asObject(runtime.podSecurityContext), check)
  checkSecurityContext([...at, 'securityContext'], asObject(runtime.securityContext), check)
}

const MAX_INT32 = 2 ** 31 - 1

/** Annotations that Kubernetes or kubectl set, and those that earlier versions read as security settings. */
const RESERVED_ANNOTATIONS = [
  'deployment.kubernetes.io/',
  'kubectl.kubernetes.io/last-applied-configuration',
  'container.apparmor.security.beta.kubernetes.io/',
  'seccomp.security.alpha.kubernetes.io/',
  'container.seccomp.security.alpha.kubernetes.io/',
]

function checkAnnotations(at: FieldPath, annotations: JsonObject, check: RuntimeCheck): void {
  for (const key of Object.keys(annotations)) {
    check.is([...at, key], isQualifiedName(key), 'is not a valid annotation key')
    const isFree = !RESERVED_ANNOTATIONS.some(prefix => key.startsWith(prefix))
    check.is([...at, key], isFree, 'is reserved for Kubernetes')
  }
}

function checkNodeSelector(at: FieldPath, labels: JsonObject, check: RuntimeCheck): void {
  for (const [key, value] of Object.entries(labels)) {
    check.is([...at, key], isQualifiedName(key), 'is not a valid label key')
    check.is([...at, key], isLabelValue(asText(value)), `${quoted(asText(value))} is not a valid label value`)
  }
}

const OPERATORS = ['Equal', 'Exists']
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
function checkToleration(at: FieldPath, toleration: JsonObject, check: RuntimeCheck): void {
  const {key, operator = 'Equal', value, effect, tolerationSeconds} = toleration
  const isOperator = OPERATORS.includes(asText(operator))
  check.is([...at, 'operator'], isOperator, `${quoted(asText(operator))} is not ${listAll(OPERATORS, 'or')}`)
  const isEffect = effect === undefined || EFFECTS.includes(asText(effect))
  check.is([...at, 'effect'], isEffect, `${quoted(asText(effect))} is not ${listAll(EFFECTS, 'or')}`)
  if (key === undefined) check.is(at, operator === 'Exists', 'requires a key, or operator: Exists')
  else check.is([...at, 'key'], isQualifiedName(asText(key)), `${quoted(asText(key))} is not a valid key`)
  check.is([...at, 'value'], operator !== 'Exists' || value === undefined, 'cannot be combined with Exists')
  const isLimited = tolerationSeconds === undefined || effect === 'NoExecute'
  check.is([...at, 'tolerationSeconds'], isLimited, 'requires effect: NoExecute')
}

function checkResources(at: FieldPath, resources: JsonObject, check: RuntimeCheck): void {
  for (const part of ['limits', 'requests']) {
    for (const [name, quantity] of Object.entries(asObject(resources[part]))) {
      const path = [...at, part, name]
      check.is(path, isQualifiedName(name), 'is not a valid resource name')
      check.is(path, !asText(quantity).startsWith('-'), 'must not be negative')
    }
  }
}

/** The names that all versions of Kubernetes accept. */
const ENV_NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/

function checkEnv(at: FieldPath, env: readonly JsonObject[], check: RuntimeCheck): void {
  const places = new Map<string, number>()
  env.forEach(({name, value, valueFrom}, index) => {
    const path = [...at, index]
    const text = asText(name)
    check.is([...path, 'name'], ENV_NAME.test(text), `${quoted(text)} is not a valid name of a variable`)
    const first = places.get(text) ?? index
    places.set(text, first)
    check.is([...path, 'name'], first === index, `is the same as env[${first}].name`)
    if (!isJsonObject(valueFrom)) return
    check.is(path, value === undefined, 'cannot have both value and valueFrom')
    const isOne = Object.keys(valueFrom).length === 1
    check.is([...path, 'valueFrom'], isOne, 'must have exactly one source')
  })
}
