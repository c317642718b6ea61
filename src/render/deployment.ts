import type {Runtime} from '../declaration/runtime/runtime.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {type JsonObject, asObject} from '../yaml/json-value.js'
import type {Era} from './era.js'
import type {InstallId} from './install-set.js'
import {recordLabels} from './labels.js'
import {withContainers, withPodSpec} from './pod-template.js'
import {withRuntime} from './runtime.js'
import {LABEL_LENGTH, truncate} from './truncate.js'

const SUFFIX = '-controller'
const CONTAINER_SECURITY_CONTEXT = {allowPrivilegeEscalation: false, privileged: false, runAsNonRoot: true}

/**
 * Returns the Deployment of a record's controller: named, selected and run as in the record, and restricted unless
 * the package's own security settings are allowed. The runtime is added last: it can only restrict further.
 */
export function controllerDeployment(
  era: Era,
  id: InstallId,
  spec: JsonObject,
  {allowFullDeployment}: {readonly allowFullDeployment: boolean},
  runtime?: Runtime,
): KubernetesObject {
  const name = controllerName(id)
  const matchLabels = {app: name}
  const running = withPodSpec(spec, podSpec => ({...podSpec, serviceAccountName: id.name}))
  const confined = allowFullDeployment ? running : withPodSpec(running, confine)
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, namespace: id.namespace, labels: recordLabels(era, id)},
    spec: {...confined, template: namedTemplate(confined, name, matchLabels), selector: {matchLabels}},
  }
  return withRuntime(deployment, runtime)
}

/** The name of the Deployment of an install's controller. */
export function controllerName({name}: Pick<InstallId, 'name'>): string {
  return `${truncate(name, LABEL_LENGTH - SUFFIX.length)}${SUFFIX}`
}

function namedTemplate(spec: JsonObject, name: string, labels: Readonly<Record<string, string>>): JsonObject {
  const template = asObject(spec.template)
  const metadata = asObject(template.metadata)
  return {...template, metadata: {...metadata, name, labels: {...asObject(metadata.labels), ...labels}}}
}

/** Keeps only a group other than root: it is added to those of the containers' own users. */
function confine(podSpec: JsonObject): JsonObject {
  const {fsGroup} = asObject(podSpec.securityContext)
  const keepsGroup = fsGroup !== undefined && fsGroup !== 0
  return {
    ...withContainers(podSpec, container => ({...container, securityContext: CONTAINER_SECURITY_CONTEXT})),
    securityContext: {runAsNonRoot: true, ...(keepsGroup ? {fsGroup} : {})},
  }
}
