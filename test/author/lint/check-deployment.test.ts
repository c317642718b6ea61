import {describe, expect, it} from '@jest/globals'
import {load} from 'js-yaml'
import {checkDeployment} from '../../../src/author/lint/server/check-deployment.js'
import {formatPath, type JsonObject} from '../../../src/yaml/json-value.js'

const POD = 'spec.template.spec.'

/** The spec of a Pod with one container that has these lines, and the lines of the Pod. */
function pod(container: string, rest = ''): string {
  return `template: {spec: {${rest === '' ? '' : `${rest}, `}containers: [{name: a${container === '' ? '' : `, ${container}`}}]}}`
}

const cases: readonly {name: string; spec: string; want: readonly string[]}[] = [
  {name: 'a sound one', spec: `replicas: 1, ${pod('')}`, want: []},
  {name: 'a number below 0', spec: `replicas: -1, ${pod('')}`, want: ['spec.replicas']},
  {
    name: 'a deadline that is no longer than getting ready takes',
    spec: `minReadySeconds: 600, ${pod('')}`,
    want: ['spec.progressDeadlineSeconds'],
  },
  {
    name: 'a rolling update of another strategy',
    spec: `strategy: {type: Recreate, rollingUpdate: {}}, ${pod('')}`,
    want: ['spec.strategy.rollingUpdate'],
  },
  {
    name: 'a rolling update that cannot begin',
    spec: `strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0%}}, ${pod('')}`,
    want: ['spec.strategy.rollingUpdate.maxUnavailable'],
  },
  {
    name: 'a share above 100 %',
    spec: `strategy: {rollingUpdate: {maxUnavailable: 101%}}, ${pod('')}`,
    want: ['spec.strategy.rollingUpdate.maxUnavailable'],
  },
  {
    name: 'labels of selectors',
    spec: pod(
      '',
      'affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: {topologyKey: a, labelSelector: {matchLabels: {team: "a "}}}}]}}, topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {team: a, b c: d}}}]',
    ),
    want: [
      `${POD}affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector.matchLabels.team`,
      `${POD}topologySpreadConstraints[0].labelSelector.matchLabels["b c"]`,
    ],
  },
  {
    name: 'terms of selectors',
    spec: pod(
      '',
      `topologySpreadConstraints: [${[
        '{key: a, operator: In, values: [b, "c "]}',
        '{key: a, operator: NotIn}',
        '{key: a, operator: Exists, values: [b]}',
        '{key: a, operator: DoesNotExist, values: []}',
      ]
        .map(
          (term, index) =>
            `{maxSkew: 1, topologyKey: a${index}, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchExpressions: [${term}]}}`,
        )
        .join(', ')}]`,
    ),
    want: [
      ['0', '[1]'],
      ['1', ''],
      ['2', ''],
    ].map(
      ([index, item]) =>
        `${POD}topologySpreadConstraints[${index}].labelSelector.matchExpressions[0].values${item}`,
    ),
  },
  {
    name: 'ids of users and groups',
    spec: pod(
      'securityContext: {runAsUser: -1, runAsGroup: 0}',
      'securityContext: {fsGroup: -1, runAsUser: 2147483647, supplementalGroups: [5, 2147483648]}',
    ),
    want: [
      `${POD}securityContext.fsGroup`,
      `${POD}securityContext.supplementalGroups[1]`,
      `${POD}containers[0].securityContext.runAsUser`,
    ],
  },
  {name: 'Pods that end', spec: pod('', 'restartPolicy: Never'), want: [`${POD}restartPolicy`]},
  {
    name: 'labels of the template',
    spec: `template: {metadata: {labels: {a: b c}, annotations: {a b: c}}, spec: {}}`,
    want: ['spec.template.metadata.labels.a', 'spec.template.metadata.annotations["a b"]'],
  },
  {
    name: 'an unknown volume',
    spec: pod('volumeMounts: [{name: b, mountPath: /b}]'),
    want: [`${POD}containers[0].volumeMounts[0].name`],
  },
  {
    name: 'a volume of two kinds',
    spec: pod('', 'volumes: [{name: b, emptyDir: {}, secret: {secretName: c}}]'),
    want: [`${POD}volumes[0]`],
  },
  {
    name: 'two volumes of one name',
    spec: pod('', 'volumes: [{name: b}, {name: b}]'),
    want: [`${POD}volumes[1]`],
  },
  {
    name: 'an init container with the name of a container',
    spec: pod('', 'initContainers: [{name: a}]'),
    want: [`${POD}initContainers[0].name`],
  },
  {
    name: 'a probe of an init container',
    spec: pod('', 'initContainers: [{name: b, readinessProbe: {exec: {command: [c]}}}]'),
    want: [`${POD}initContainers[0].readinessProbe`],
  },
  {
    name: 'a probe of a sidecar',
    spec: pod(
      '',
      'initContainers: [{name: b, restartPolicy: Always, readinessProbe: {exec: {command: [c]}}}]',
    ),
    want: [],
  },
  {
    name: 'a probe without an action',
    spec: pod('livenessProbe: {periodSeconds: 5}'),
    want: [`${POD}containers[0].livenessProbe`],
  },
  {
    name: 'a probe with two actions',
    spec: pod('livenessProbe: {exec: {command: [a]}, tcpSocket: {port: 1}}'),
    want: [`${POD}containers[0].livenessProbe`],
  },
  {
    name: 'a port with a capital, and none',
    spec: pod('livenessProbe: {httpGet: {port: Web}}, readinessProbe: {tcpSocket: {}}'),
    want: [
      `${POD}containers[0].livenessProbe.httpGet.port`,
      `${POD}containers[0].readinessProbe.tcpSocket.port`,
    ],
  },
  {
    name: 'a liveness probe that must succeed twice',
    spec: pod('livenessProbe: {exec: {command: [a]}, successThreshold: 2}'),
    want: [`${POD}containers[0].livenessProbe.successThreshold`],
  },
  {
    name: 'a hook without an action',
    spec: pod('lifecycle: {preStop: {}}'),
    want: [`${POD}containers[0].lifecycle.preStop`],
  },
  {
    name: 'a port out of range, a protocol, and two of one name',
    spec: pod('ports: [{containerPort: 70000, name: b, protocol: HTTP}, {containerPort: 1, name: b}]'),
    want: [
      `${POD}containers[0].ports[0].containerPort`,
      `${POD}containers[0].ports[0].protocol`,
      `${POD}containers[0].ports[1].name`,
    ],
  },
  {
    name: 'another port of the node with its network',
    spec: pod('ports: [{containerPort: 1, hostPort: 2}]', 'hostNetwork: true'),
    want: [`${POD}containers[0].ports[0].hostPort`],
  },
  {
    name: 'a variable with a value and a source, and with two',
    spec: pod(
      'env: [{name: A, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}, secretKeyRef: {name: a, key: b}}}]',
    ),
    want: [`${POD}containers[0].env[0].valueFrom`, `${POD}containers[0].env[1].valueFrom`],
  },
  {
    name: 'a field that a container cannot be given, and an invalid name of a Secret',
    spec: pod(
      'env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.volumes}}}, {name: B, valueFrom: {secretKeyRef: {name: A, key: b}}}]',
    ),
    want: [
      `${POD}containers[0].env[0].valueFrom.fieldRef.fieldPath`,
      `${POD}containers[0].env[1].valueFrom.secretKeyRef.name`,
    ],
  },
  {
    name: 'a request above its limit, in other units',
    spec: pod('resources: {limits: {memory: 1Gi, cpu: "1"}, requests: {memory: 1100M, cpu: 1000m}}'),
    want: [`${POD}containers[0].resources.requests.memory`],
  },
  {
    name: 'an unknown resource and a negative one',
    spec: pod('resources: {limits: {gpu: "1", example.org/gpu: "1", cpu: "-1"}}'),
    want: [`${POD}containers[0].resources.limits.gpu`, `${POD}containers[0].resources.limits.cpu`],
  },
  {
    name: 'tolerations',
    spec: pod(
      '',
      'tolerations: [{operator: Exists}, {value: b}, {key: a, operator: Exists, value: b}, {key: a, effect: NoSchedule, tolerationSeconds: 5}]',
    ),
    want: [`${POD}tolerations[1].operator`, `${POD}tolerations[2].value`, `${POD}tolerations[3].effect`],
  },
  {
    name: 'an affinity without a topology',
    spec: pod('', 'affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{}]}}'),
    want: [`${POD}affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey`],
  },
  {
    name: 'a path out of its volume',
    spec: pod('', 'volumes: [{name: b, configMap: {name: c, items: [{key: d, path: ../e}]}}]'),
    want: [`${POD}volumes[0].configMap.items[0].path`],
  },
]

describe('a Deployment', () => {
  it.each(cases)('with $name', ({spec, want}) => {
    const errors = checkDeployment({spec: load(`{${spec}}`) as JsonObject})
    expect(errors.map(({place}) => formatPath(place))).toEqual(want)
  })
})
