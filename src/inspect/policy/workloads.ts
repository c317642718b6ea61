import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../kubernetes/object-key.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryOf} from '../../reference/repository.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {placedContainers} from '../containers.js'
import {baselineDangerOf} from '../dangers.js'
import {podSettings} from '../pod-settings.js'
import type {JudgedImage} from './judged-package.js'

/** An object that Pods are made of. */
interface Workload {
  readonly object: string
  /** A Pod, or the template of some. */
  readonly template: JsonObject
}

interface PrivilegedReason {
  readonly object: string
  readonly reason: string
}

const TEMPLATED = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job']

/** Returns the objects that run something. */
export function workloads(objects: readonly KubernetesObject[]): readonly Workload[] {
  return objects.flatMap(object => {
    const template = templateOf(object)
    return template === undefined ? [] : [{object: objectText(nameOf(object)), template}]
  })
}

function templateOf({kind, metadata, spec}: KubernetesObject): JsonObject | undefined {
  const fields = asObject(spec)
  if (kind === 'Pod') return {metadata: {annotations: {...metadata.annotations}}, spec: fields}
  const job = asObject(asObject(fields.jobTemplate).spec)
  const templated = kind === 'CronJob' ? job : TEMPLATED.includes(kind) ? fields : undefined
  return templated && asObject(templated.template)
}

/** Returns the images of containers and of volumes. */
export function workloadImages(all: readonly Workload[]): readonly JudgedImage[] {
  return all.flatMap(({object, template}) => {
    const pod = asObject(template.spec)
    return [
      ...placedContainers(pod).map(({container}) =>
        judgedImage(asText(container.image), object, asText(container.name)),
      ),
      ...asObjects(pod.volumes).flatMap(({name, image}) => {
        const reference = asText(asObject(image).reference)
        return reference === '' ? [] : [judgedImage(reference, object, `volume ${asText(name)}`)]
      }),
    ]
  })
}

/** Returns what rules see of an image. */
export function judgedImage(reference: string, object: string, container: string): JudgedImage {
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

/** Returns why the Pod Security Standard `baseline` forbids workloads, with the field of each reason. */
export function privilegedReasons(all: readonly Workload[]): readonly PrivilegedReason[] {
  return all.flatMap(({object, template}) =>
    podSettings(template).flatMap(({container, field, value}) => {
      const why = baselineDangerOf(field, value)
      const place = container === undefined ? '' : `container ${container}: `
      return why === undefined ? [] : [{object, reason: `${place}${field} ${why}`}]
    }),
  )
}
