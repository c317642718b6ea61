import type {GoTypes} from '../../unpack/go/go-types.js'
import {KUBERNETES_TYPES} from '../../unpack/go/kubernetes-types.js'
import type {JsonObject} from '../../yaml/json-value.js'

type Texts = Readonly<Record<string, string>>

/**
 * How the controller of an install runs, in the fields of Kubernetes' own objects. It is added to the Deployment of the
 * package, and cannot give the controller more privileges than the package has.
 */
export interface Runtime {
  readonly replicas?: number
  /** Of the Deployment. */
  readonly annotations?: Texts
  /** Of its Pods. */
  readonly podAnnotations?: Texts
  readonly nodeSelector?: Texts
  readonly tolerations?: readonly JsonObject[]
  readonly affinity?: JsonObject
  /** Of the Pods. */
  readonly podSecurityContext?: JsonObject
  /** Of each container, init containers included, as the fields below. */
  readonly securityContext?: JsonObject
  readonly resources?: RuntimeResources
  readonly env?: readonly JsonObject[]
}

/** The resources of a container. */
export interface RuntimeResources {
  readonly limits?: Texts
  readonly requests?: Texts
}

/** The fields of security contexts that can only restrict; all others would be unknown. */
const RESTRICTIONS = {
  appArmorProfile: 'core.v1.AppArmorProfile*',
  runAsGroup: 'integer*',
  runAsNonRoot: 'boolean*',
  runAsUser: 'integer*',
  seccompProfile: 'core.v1.SeccompProfile*',
}

/** The types of the fields. */
export const RUNTIME_TYPES: GoTypes = {
  ...KUBERNETES_TYPES,
  Runtime: {
    replicas: 'integer*',
    annotations: 'map:string?',
    podAnnotations: 'map:string?',
    nodeSelector: 'map:string?',
    tolerations: 'list:core.v1.Toleration?',
    affinity: 'core.v1.Affinity*',
    podSecurityContext: 'RuntimePodSecurityContext*',
    securityContext: 'RuntimeSecurityContext*',
    resources: 'RuntimeResources*',
    env: 'list:core.v1.EnvVar?',
  },
  RuntimePodSecurityContext: {
    ...RESTRICTIONS,
    fsGroup: 'integer*',
    fsGroupChangePolicy: 'string*',
    supplementalGroups: 'list:integer?',
  },
  RuntimeSecurityContext: {
    ...RESTRICTIONS,
    allowPrivilegeEscalation: 'boolean*',
    capabilities: 'core.v1.Capabilities*',
    privileged: 'boolean*',
    readOnlyRootFilesystem: 'boolean*',
  },
  RuntimeResources: {limits: 'map:quantity?', requests: 'map:quantity?'},
}
