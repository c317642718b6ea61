import {describe, expect, it} from '@jest/globals'
import {controllerDeployment} from '../../src/render/deployment.js'
import {ERAS} from '../../src/render/era.js'
import {recordLabels} from '../../src/render/labels.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const era = ERAS.packages
const id = {namespace: 'team-a', name: 'widgets'}
const CONFINED = {allowPrivilegeEscalation: false, privileged: false, runAsNonRoot: true}
const privileged = {privileged: true, runAsUser: 0, capabilities: {add: ['SYS_ADMIN']}}

function podSpecOf(podSpec: JsonObject, allowFullDeployment: boolean): unknown {
  const {spec} = controllerDeployment(era, id, {template: {spec: podSpec}}, {allowFullDeployment})
  return (spec as {template: {spec: unknown}}).template.spec
}

describe('a restricted pod', () => {
  const cases: readonly {readonly reason: string; readonly given?: JsonObject; readonly want: JsonObject}[] =
    [
      {reason: 'nothing', want: {}},
      {reason: 'a group', given: {fsGroup: 65532}, want: {fsGroup: 65532}},
      {reason: "root's group", given: {fsGroup: 0}, want: {}},
      {
        reason: 'all that would widen it',
        given: {runAsUser: 0, runAsNonRoot: false, fsGroup: 1, supplementalGroups: [0], sysctls: []},
        want: {fsGroup: 1},
      },
    ]

  it.each(cases)('keeps only a group other than root, given $reason', ({given, want}) => {
    const podSpec = {...(given === undefined ? {} : {securityContext: given}), containers: []}
    expect(podSpecOf(podSpec, false)).toEqual({
      securityContext: {runAsNonRoot: true, ...want},
      serviceAccountName: 'widgets',
      containers: [],
    })
  })

  it('restricts every container', () => {
    const podSpec: JsonObject = {
      initContainers: [{name: 'i', securityContext: privileged}],
      containers: [{name: 'a'}, {name: 'b', image: 'x', securityContext: privileged}],
    }
    expect(podSpecOf(podSpec, false)).toEqual({
      securityContext: {runAsNonRoot: true},
      serviceAccountName: 'widgets',
      initContainers: [{name: 'i', securityContext: CONFINED}],
      containers: [
        {name: 'a', securityContext: CONFINED},
        {name: 'b', image: 'x', securityContext: CONFINED},
      ],
    })
  })
})

describe('an unrestricted pod', () => {
  it('keeps its security settings, and runs under its own service account', () => {
    const podSpec = {
      securityContext: {fsGroup: 0, runAsUser: 0},
      serviceAccountName: 'root',
      initContainers: [{name: 'i', securityContext: privileged}],
      containers: [{name: 'a'}],
    }
    expect(podSpecOf(podSpec, true)).toEqual({...podSpec, serviceAccountName: 'widgets'})
  })
})

describe('a Deployment', () => {
  it('is named, selected and owned as in the record', () => {
    const spec = {
      replicas: 2,
      selector: {matchLabels: {app: 'own'}, matchExpressions: []},
      template: {
        metadata: {name: 'own', labels: {app: 'own', tier: 'back'}, annotations: {a: 'b'}},
        spec: {containers: []},
      },
    }
    expect(controllerDeployment(era, id, spec, {allowFullDeployment: false})).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'widgets-controller', namespace: 'team-a', labels: recordLabels(era, id)},
      spec: {
        replicas: 2,
        selector: {matchLabels: {app: 'widgets-controller'}},
        template: {
          metadata: {
            name: 'widgets-controller',
            labels: {app: 'widgets-controller', tier: 'back'},
            annotations: {a: 'b'},
          },
          spec: {serviceAccountName: 'widgets', securityContext: {runAsNonRoot: true}, containers: []},
        },
      },
    })
  })

  it.each([
    ['x'.repeat(52), `${'x'.repeat(52)}-controller`],
    [
      'a-very-long-package-install-name-that-goes-past-every-limit-th',
      'a-very-long-package-install-name-that-goes-pas-3fqn7-controller',
    ],
  ])('of %s is %s', (name, want) => {
    const made = controllerDeployment(era, {namespace: 'team-a', name}, {}, {allowFullDeployment: false})
    expect({name: made.metadata.name, spec: made.spec}).toEqual({
      name: want,
      spec: {
        selector: {matchLabels: {app: want}},
        template: {
          metadata: {name: want, labels: {app: want}},
          spec: {serviceAccountName: name, securityContext: {runAsNonRoot: true}, containers: []},
        },
      },
    })
  })
})
