import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../kubernetes/object-key.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryOf} from '../../reference/repository.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {placedContainers} from '../containers.js'
import {dangerOf} from '../dangers.js'
import type {JudgedImage} from './judged-package.js'

/** An object that Pods are made of. */
interface Workload {
  readonly object: string
  readonly pod: JsonObject
}

const TEMPLATED = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job']

/** Returns the objects that run something. */
export function workloads(objects: readonly KubernetesObject[]): readonly Workload[] {
  return objects.flatMap(object => {
    const pod = podOf(object)
    return pod === undefined ? [] : [{object: objectText(nameOf(object)), pod}]
  })
}

function podOf({kind, spec}: KubernetesObject): JsonObject | undefined {
  const fields = asObject(spec)
  if (kind === 'Pod') return fields
  const job = asObject(asObject(fields.jobTemplate).spec)
  const templated = kind === 'CronJob' ? job : TEMPLATED.includes(kind) ? fields : undefined
  return templated && asObject(asObject(templated.template).spec)
}

/** Returns the images of containers and of volumes. */
export function workloadImages(all: readonly Workload[]): readonly JudgedImage[] {
  return all.flatMap(({object, pod}) => [
    ...placedContainers(pod).map(({container}) =>
      judgedImage(asText(container.image), object, asText(container.name)),
    ),
    ...asObjects(pod.volumes).flatMap(({name, image}) => {
      const reference = asText(asObject(image).reference)
      return reference === '' ? [] : [judgedImage(reference, object, `volume ${asText(name)}`)]
    }),
  ])
}

function judgedImage(reference: string, object: string, container: string): JudgedImage {
  const name = parseImageName(reference)
  const {registry = '', path = ''} = name === undefined ? {} : repositoryOf(name)
  const {tag = '', digest = ''} = name ?? {}
  return {
    reference,
    registry,
    repository: name === undefined ? '' : `${registry}/${path}`,
    tag,
    digest,
    object,
    container,
  }
}

/** The fields that the Pod Security standard `baseline` forbids: https://kubernetes.io/docs/concepts/security/pod-security-standards/ */
const POD_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC']
const CONTEXT_FIELDS = [
  'privileged',
  'capabilities',
  'procMount',
  'seccompProfile',
  'appArmorProfile',
  'sysctls',
  'seLinuxOptions',
  'windowsOptions',
]

/** Returns why workloads are privileged, with the field of each reason. */
export function privilegedReasons(all: readonly Workload[]): readonly {object: string; reason: string}[] {
  return all.flatMap(({object, pod}) => {
    const volumes = asObjects(pod.volumes).filter(({hostPath}) => hostPath !== undefined)
    return [
      ...dangers('', pod, POD_FIELDS),
      ...dangers('securityContext.', asObject(pod.securityContext), CONTEXT_FIELDS),
      ...volumes.map(({name}) => `volume ${asText(name)}: hostPath ${dangerOf('hostPath', true) ?? ''}`),
      ...placedContainers(pod).flatMap(({container}) => containerReasons(container)),
    ].map(reason => ({object, reason}))
  })
}

function containerReasons(container: JsonObject): readonly string[] {
  const ports = asObjects(container.ports).filter(({hostPort}) => hostPort !== undefined && hostPort !== 0)
  return [
    ...dangers('securityContext.', asObject(container.securityContext), CONTEXT_FIELDS),
    ...ports.map(() => `hostPort ${dangerOf('hostPort', true) ?? ''}`),
  ].map(reason => `container ${asText(container.name)}: ${reason}`)
}

function dangers(prefix: string, values: JsonObject, fields: readonly string[]): readonly string[] {
  return fields.flatMap(field => {
    const value = values[field]
    const why = value === undefined ? undefined : dangerOf(field, value)
    return why === undefined ? [] : [`${prefix}${field} ${why}`]
  })
}
