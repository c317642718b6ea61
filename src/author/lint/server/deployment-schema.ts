import type {JsonObject} from '../../../yaml/json-value.js'

/** The formats of texts in this schema, which `textErrors` judges. */
export type TextFormat =
  | 'label'
  | 'subdomain'
  | 'key'
  | 'variable'
  | 'data-key'
  | 'path'
  | 'field'
  | 'resource'
  | 'port'
  | 'header'

function text(format: TextFormat): JsonObject {
  return {minLength: 1, format}
}

const LABEL = text('label')
const SUBDOMAIN = text('subdomain')
const QUALIFIED = text('key')
const VARIABLE = text('variable')
const DATA_KEY = text('data-key')
const RELATIVE = text('path')
const GIVEN = {minLength: 1}
const COUNT = {minimum: 0}
const PORT = {minimum: 1, maximum: 65535}
const MODE = {minimum: 0, maximum: 0o777}
/** The id of a user or a group. */
const ID = {minimum: 0, maximum: 2_147_483_647}

/** An object with these fields, of which some must be there. */
function fields(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {properties, ...(required.length === 0 ? {} : {required: [...required]})}
}

function listOf(items: JsonObject, bounds: JsonObject = {}): JsonObject {
  return {items, ...bounds}
}

function oneOf(...values: readonly string[]): JsonObject {
  return {enum: [...values]}
}

/** A list whose items differ in their keys. */
function byKey(keys: readonly string[], items: JsonObject): JsonObject {
  return {items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys]}
}

const KEY_OF_DATA = fields({name: SUBDOMAIN, key: DATA_KEY}, ['name', 'key'])

const VALUE_FROM = fields({
  fieldRef: fields({fieldPath: text('field')}, ['fieldPath']),
  resourceFieldRef: fields({resource: text('resource')}, ['resource']),
  configMapKeyRef: KEY_OF_DATA,
  secretKeyRef: KEY_OF_DATA,
})

const HANDLERS: JsonObject = {
  exec: fields({command: {minItems: 1}}, ['command']),
  httpGet: fields({
    scheme: oneOf('HTTP', 'HTTPS'),
    httpHeaders: listOf(fields({name: text('header')}, ['name'])),
  }),
  tcpSocket: fields({}),
}

function probe(successes: JsonObject): JsonObject {
  return fields({
    ...HANDLERS,
    grpc: fields({port: PORT}, ['port']),
    initialDelaySeconds: COUNT,
    timeoutSeconds: COUNT,
    periodSeconds: COUNT,
    failureThreshold: COUNT,
    successThreshold: successes,
    terminationGracePeriodSeconds: {minimum: 1},
  })
}

const RUNNING_PROBE = probe({minimum: 0, maximum: 1})
const LIFECYCLE = fields({...HANDLERS, sleep: fields({seconds: COUNT})})

const CONTAINER = fields(
  {
    name: LABEL,
    imagePullPolicy: oneOf('Always', 'Never', 'IfNotPresent'),
    terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
    securityContext: fields({runAsUser: ID, runAsGroup: ID}),
    env: listOf(fields({name: VARIABLE, valueFrom: VALUE_FROM}, ['name'])),
    envFrom: listOf(
      fields({
        prefix: VARIABLE,
        configMapRef: fields({name: SUBDOMAIN}, ['name']),
        secretRef: fields({name: SUBDOMAIN}, ['name']),
      }),
    ),
    ports: listOf(
      fields(
        {
          name: text('port'),
          containerPort: PORT,
          hostPort: {...PORT, minimum: 0},
          protocol: oneOf('TCP', 'UDP', 'SCTP'),
        },
        ['containerPort'],
      ),
    ),
    livenessProbe: RUNNING_PROBE,
    startupProbe: RUNNING_PROBE,
    readinessProbe: probe(COUNT),
    lifecycle: fields({preStop: LIFECYCLE, postStart: LIFECYCLE}),
    volumeMounts: byKey(
      ['mountPath'],
      fields({name: GIVEN, mountPath: GIVEN, subPath: RELATIVE, subPathExpr: RELATIVE}, [
        'name',
        'mountPath',
      ]),
    ),
  },
  ['name'],
)

const FILE_OF_DATA = listOf(fields({key: GIVEN, path: RELATIVE, mode: MODE}, ['key', 'path']))
const DOWNWARD = listOf(fields({path: RELATIVE, mode: MODE}, ['path']))

const VOLUME = fields(
  {
    name: LABEL,
    configMap: fields({name: GIVEN, defaultMode: MODE, items: FILE_OF_DATA}, ['name']),
    secret: fields({secretName: GIVEN, defaultMode: MODE, items: FILE_OF_DATA}, ['secretName']),
    downwardAPI: fields({defaultMode: MODE, items: DOWNWARD}),
    emptyDir: fields({}),
    hostPath: fields(
      {
        path: GIVEN,
        type: {
          enum: [
            '',
            'DirectoryOrCreate',
            'Directory',
            'FileOrCreate',
            'File',
            'Socket',
            'CharDevice',
            'BlockDevice',
          ],
        },
      },
      ['path'],
    ),
    persistentVolumeClaim: fields({claimName: GIVEN}, ['claimName']),
  },
  ['name'],
)

const LABEL_TERM = fields({key: QUALIFIED, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')}, [
  'key',
  'operator',
])
const SELECTOR = fields({matchExpressions: listOf(LABEL_TERM)})
const NODE_TERM = fields({
  matchExpressions: listOf(
    fields({key: QUALIFIED, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')}, [
      'key',
      'operator',
    ]),
  ),
})
const WEIGHT = {minimum: 1, maximum: 100}
const POD_TERM = fields({topologyKey: QUALIFIED, labelSelector: SELECTOR, namespaceSelector: SELECTOR}, [
  'topologyKey',
])
const POD_TERMS = fields({
  requiredDuringSchedulingIgnoredDuringExecution: listOf(POD_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    fields({weight: WEIGHT, podAffinityTerm: POD_TERM}, ['weight', 'podAffinityTerm']),
  ),
})

const AFFINITY = fields({
  nodeAffinity: fields({
    requiredDuringSchedulingIgnoredDuringExecution: fields(
      {nodeSelectorTerms: listOf(NODE_TERM, {minItems: 1})},
      ['nodeSelectorTerms'],
    ),
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      fields({weight: WEIGHT, preference: NODE_TERM}, ['weight']),
    ),
  }),
  podAffinity: POD_TERMS,
  podAntiAffinity: POD_TERMS,
})

const POD = fields({
  restartPolicy: oneOf('Always'),
  dnsPolicy: oneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
  hostname: LABEL,
  subdomain: LABEL,
  priorityClassName: SUBDOMAIN,
  runtimeClassName: SUBDOMAIN,
  securityContext: fields({runAsUser: ID, runAsGroup: ID, fsGroup: ID, supplementalGroups: listOf(ID)}),
  nodeName: SUBDOMAIN,
  preemptionPolicy: oneOf('Never', 'PreemptLowerPriority'),
  os: fields({name: oneOf('linux', 'windows')}, ['name']),
  tolerations: listOf(
    fields({
      key: QUALIFIED,
      operator: oneOf('Exists', 'Equal', 'Lt', 'Gt'),
      effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    }),
  ),
  affinity: AFFINITY,
  topologySpreadConstraints: byKey(
    ['topologyKey', 'whenUnsatisfiable'],
    fields(
      {
        maxSkew: {minimum: 1},
        topologyKey: QUALIFIED,
        whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
        labelSelector: SELECTOR,
      },
      ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
    ),
  ),
  volumes: byKey(['name'], VOLUME),
  initContainers: listOf(CONTAINER),
  containers: listOf(CONTAINER),
})

/** The values that an API server accepts in a Deployment whose fields have the right types, as far as one value tells. */
export const DEPLOYMENT_SCHEMA: JsonObject = fields({
  spec: fields({
    replicas: COUNT,
    minReadySeconds: COUNT,
    revisionHistoryLimit: COUNT,
    progressDeadlineSeconds: COUNT,
    strategy: fields({type: oneOf('Recreate', 'RollingUpdate')}),
    template: fields({spec: POD}),
  }),
})
