import {describe, expect, it} from '@jest/globals'
import {readRuntimeFile} from '../../src/declaration/runtime/read-runtime.js'
import type {Runtime} from '../../src/declaration/runtime/runtime.js'
import {controllerDeployment} from '../../src/render/deployment.js'
import {ERAS} from '../../src/render/era.js'
import {mergedRuntime} from '../../src/render/runtime.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {FULL_RUNTIME} from '../declaration/runtime/runtimes.js'
import {expectGolden} from '../golden.js'

const era = ERAS.packages
const id = {namespace: 'team-a', name: 'widgets'}
const PACKAGE: JsonObject = {
  replicas: 1,
  template: {
    metadata: {annotations: {own: 'yes'}},
    spec: {
      nodeSelector: {'kubernetes.io/os': 'windows', disk: 'ssd'},
      tolerations: [{key: 'own', operator: 'Exists'}],
      initContainers: [{name: 'copy', image: 'a', resources: {}}],
      containers: [
        {
          name: 'manager',
          image: 'b',
          resources: {limits: {cpu: '100m', 'ephemeral-storage': '1Gi'}},
          env: [
            {name: 'HTTPS_PROXY', valueFrom: {configMapKeyRef: {name: 'proxy', key: 'url'}}},
            {name: 'MODE', value: 'fast'},
          ],
          securityContext: {capabilities: {add: ['NET_BIND_SERVICE'], drop: ['NET_RAW']}},
        },
      ],
    },
  },
}

function rendered(runtime: Runtime | undefined, allowFullDeployment = false) {
  return controllerDeployment(era, id, PACKAGE, {allowFullDeployment}, runtime)
}

const FULL = readRuntimeFile('runtime.yaml', Buffer.from(FULL_RUNTIME))

describe('a Deployment with a runtime', () => {
  it('has its fields, and keeps the others of the package', () => {
    expectGolden('runtime-deployment.yaml', writeYaml([rendered(FULL)]))
  })

  it.each([undefined, {}])('is the same bytes for the runtime %p as without one', runtime => {
    expect(writeYaml([rendered(runtime)])).toBe(
      writeYaml([controllerDeployment(era, id, PACKAGE, {allowFullDeployment: false})]),
    )
  })

  it('stays restricted where the security settings of the package are dropped', () => {
    const {spec} = rendered({securityContext: {readOnlyRootFilesystem: true}})
    const {containers} = (spec as {template: {spec: {containers: JsonObject[]}}}).template.spec
    expect(containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
    })
  })

  it('restricts the security settings of the package where they are kept', () => {
    const {spec} = rendered({securityContext: {capabilities: {drop: ['ALL']}}}, true)
    const {containers} = (spec as {template: {spec: {containers: JsonObject[]}}}).template.spec
    const capabilities = {add: ['NET_BIND_SERVICE'], drop: ['NET_RAW', 'ALL']}
    expect(containers[0]?.securityContext).toEqual({capabilities})
  })
})

describe('two runtimes', () => {
  it('are merged by resource and by variable; the second takes precedence', () => {
    const one: Runtime = {
      replicas: 1,
      nodeSelector: {a: 'b'},
      resources: {limits: {cpu: '1', memory: '1Gi'}},
      env: [
        {name: 'A', value: '1'},
        {name: 'B', value: '2'},
      ],
    }
    const other: Runtime = {
      replicas: 2,
      resources: {limits: {cpu: '2'}, requests: {cpu: '1'}},
      env: [
        {name: 'C', value: '3'},
        {name: 'A', value: '4'},
      ],
    }
    expect(mergedRuntime(one, other)).toEqual({
      replicas: 2,
      nodeSelector: {a: 'b'},
      resources: {limits: {cpu: '2', memory: '1Gi'}, requests: {cpu: '1'}},
      env: [
        {name: 'A', value: '4'},
        {name: 'B', value: '2'},
        {name: 'C', value: '3'},
      ],
    })
    expect(mergedRuntime(one, {})).toEqual(one)
    expect(mergedRuntime({}, other)).toEqual(other)
  })
})
