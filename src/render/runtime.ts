import type {Runtime, RuntimeResources} from '../declaration/runtime/runtime.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import {asObject, asObjects, asText, asTexts, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {withContainers, withPodSpec} from './pod-template.js'

/** Changes the Deployment of a controller by the user's runtime; without one, it stays the same object. */
export function withRuntime(deployment: KubernetesObject, runtime: Runtime | undefined): KubernetesObject {
  if (runtime === undefined) return deployment
  const {replicas, annotations, podAnnotations} = runtime
  const spec = withPodSpec(asObject(deployment.spec), podSpec => withPodRuntime(podSpec, runtime))
  return {
    ...deployment,
    metadata: {
      ...deployment.metadata,
      ...merged('annotations', deployment.metadata.annotations, annotations),
    },
    spec: {
      ...spec,
      ...present({replicas}),
      template: withPodAnnotations(asObject(spec.template), podAnnotations),
    },
  }
}

/** Merges two runtimes; the values of the second take precedence. */
export function mergedRuntime(one: Runtime, other: Runtime): Runtime {
  return {
    ...one,
    ...other,
    ...resourcesIn(one.resources, other.resources),
    ...(one.env === undefined || other.env === undefined ? {} : {env: withEnv(one.env, other.env)}),
  }
}

function withPodAnnotations(template: JsonObject, annotations: Runtime['podAnnotations']): JsonObject {
  const metadata = asObject(template.metadata)
  return {
    ...template,
    metadata: {...metadata, ...merged('annotations', asObject(metadata.annotations), annotations)},
  }
}

function withPodRuntime(podSpec: JsonObject, runtime: Runtime): JsonObject {
  const {nodeSelector, tolerations = [], affinity, podSecurityContext} = runtime
  const allTolerations = [...asObjects(podSpec.tolerations), ...tolerations]
  return {
    ...withContainers(podSpec, container => withContainerRuntime(container, runtime)),
    ...merged('nodeSelector', asObject(podSpec.nodeSelector), nodeSelector),
    ...(allTolerations.length === 0 ? {} : {tolerations: allTolerations}),
    ...merged('affinity', asObject(podSpec.affinity), affinity),
    ...merged('securityContext', asObject(podSpec.securityContext), podSecurityContext),
  }
}

function withContainerRuntime(container: JsonObject, {resources, env, securityContext}: Runtime): JsonObject {
  const own = asObject(container.securityContext)
  return {
    ...container,
    ...resourcesIn(asObject(container.resources), resources),
    ...(env === undefined ? {} : {env: withEnv(asObjects(container.env), env)}),
    ...merged('securityContext', own, {
      ...securityContext,
      ...merged('capabilities', asObject(own.capabilities), droppedBy(own, securityContext)),
    }),
  }
}

/** Capabilities that the package drops stay dropped. */
function droppedBy(own: JsonObject, added: JsonObject | undefined): JsonObject {
  const drops = [own, added ?? {}].map(context => asTexts(asObject(context.capabilities).drop))
  const drop = [...new Set(drops.flat())]
  return drop.length === 0 ? {} : {drop}
}

/** Limits and requests are merged by resource. */
function resourcesIn(
  own: RuntimeResources | undefined,
  added: RuntimeResources | undefined,
): {readonly resources?: JsonObject} {
  if (added === undefined) return {}
  const resources = {
    ...own,
    ...merged('limits', own?.limits, added.limits),
    ...merged('requests', own?.requests, added.requests),
  }
  return {resources}
}

/** Variables keep their places, because later ones can use the values of earlier ones. */
function withEnv(own: readonly JsonObject[], added: readonly JsonObject[]): readonly JsonObject[] {
  const byName = new Map(added.map(variable => [asText(variable.name), variable]))
  const names = new Set(own.map(({name}) => asText(name)))
  return [
    ...own.map(variable => byName.get(asText(variable.name)) ?? variable),
    ...added.filter(({name}) => !names.has(asText(name))),
  ]
}

/** Returns a field with the entries of both maps; those added take precedence. */
function merged<Name extends string, Value extends JsonValue>(
  name: Name,
  own: Readonly<Record<string, Value>> | undefined,
  added: Readonly<Record<string, Value>> | undefined,
): {readonly [N in Name]?: Readonly<Record<string, Value>>} {
  const all = {...own, ...added}
  const field = Object.keys(all).length === 0 ? {} : {[name]: all}
  return field as {readonly [N in Name]?: Readonly<Record<string, Value>>}
}
