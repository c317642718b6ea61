import {describe, expect, it} from '@jest/globals'
import {placeText} from '../../../src/health/sides/place.js'
import {driftOfSides} from '../../../src/health/sides/side-drift.js'
import {type SidedObject, SIDES} from '../../../src/health/sides/sided-object.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const NAME = {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'team', name: 'app'}

function deployment(spec: JsonObject, managedFields?: readonly JsonObject[]): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {namespace: 'team', name: 'app', ...(managedFields === undefined ? {} : {managedFields})},
    spec,
  }
}

const APPLIED = {
  manager: 'crossplane-packages',
  operation: 'Apply',
  time: '2026-01-01T00:00:00Z',
  fieldsV1: {'f:spec': {'f:replicas': {}}},
}

const entry = (manager: string, time: string, field: string) => ({
  manager,
  operation: 'Update',
  time,
  fieldsV1: {'f:spec': {[`f:${field}`]: {}}},
})

/** Each difference: its place, the sides that differ, and the managers. */
function drift(on: SidedObject['on'], more: Partial<SidedObject> = {}) {
  const objects = driftOfSides([{name: NAME, isCreatedOnce: false, on, ...more}], SIDES)
  return objects.flatMap(({differences}) =>
    differences.map(({place, differs, managers}) =>
      [placeText(place), differs.join('+'), ...managers.map(({manager}) => manager)].join(' '),
    ),
  )
}

describe('the drift of an object on three sides', () => {
  const [one, two, three] = [1, 2, 3].map(replicas => deployment({replicas}))

  it.each([
    {name: 'none', reason: 'all agree', in: {lock: one, tree: one, cluster: one}, want: []},
    {
      name: 'the cluster',
      reason: 'two agree',
      in: {lock: one, tree: one, cluster: two},
      want: ['spec.replicas cluster'],
    },
    {
      name: 'the tree',
      reason: 'two agree',
      in: {lock: one, tree: two, cluster: one},
      want: ['spec.replicas tree'],
    },
    {
      name: 'the lock',
      reason: 'two agree',
      in: {lock: two, tree: one, cluster: one},
      want: ['spec.replicas lock'],
    },
    {
      name: 'all',
      reason: 'no two agree',
      in: {lock: one, tree: two, cluster: three},
      want: ['spec.replicas lock+tree+cluster'],
    },
    {name: 'a side without it', reason: 'two have it', in: {lock: one, cluster: one}, want: [' tree']},
    {name: 'the only side with it', reason: 'two lack it', in: {cluster: one}, want: [' cluster']},
  ])('names $name: $reason', ({in: on, want}) => {
    expect(drift(on)).toEqual(want)
  })

  it('names the manager that changed a field, and not the one that applied it', () => {
    const live = deployment({replicas: 2}, [
      APPLIED,
      entry('kubectl-edit', '2026-01-02T00:00:00Z', 'replicas'),
    ])
    expect(drift({lock: one, tree: one, cluster: live})).toEqual(['spec.replicas cluster kubectl-edit'])
  })

  it.each([
    {
      name: 'reports what was added later',
      time: '2026-01-02T00:00:00Z',
      manager: 'kubectl-edit',
      want: ['spec.paused cluster kubectl-edit'],
    },
    {name: 'ignores what was there before', time: '2025-01-01T00:00:00Z', manager: 'kubectl-edit', want: []},
    {
      name: 'ignores controllers of Kubernetes',
      time: '2026-01-02T00:00:00Z',
      manager: 'kube-controller-manager',
      want: [],
    },
  ])('$name', ({time, manager, want}) => {
    const live = deployment({replicas: 1, paused: true}, [APPLIED, entry(manager, time, 'paused')])
    expect(drift({lock: one, tree: one, cluster: live})).toEqual(want)
  })

  describe('what a program that applies packages added', () => {
    const container = {name: 'c', ports: [{containerPort: 80, protocol: 'TCP'}]}
    const spec = (more: JsonObject) => ({template: {spec: {containers: [container], ...more}}})
    const wanted = deployment({template: {spec: {containers: [{name: 'c', ports: [{containerPort: 80}]}]}}})
    const fieldsV1 = {
      'f:spec': {
        'f:template': {
          'f:spec': {
            'f:hostNetwork': {},
            'f:containers': {
              'k:{"name":"c"}': {
                '.': {},
                'f:ports': {'k:{"containerPort":80,"protocol":"TCP"}': {'.': {}, 'f:containerPort': {}}},
              },
            },
          },
        },
      },
    }
    const by = (manager: string, operation: string, applied?: JsonObject): KubernetesObject => {
      const time = '2025-01-01T00:00:00Z'
      const live = deployment(spec({hostNetwork: true}), [APPLIED, {manager, operation, time, fieldsV1}])
      const annotations = applied && {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({spec: applied}),
      }
      return {...live, metadata: {...live.metadata, ...(annotations === undefined ? {} : {annotations})}}
    }
    const [flux, argocd] = ['kustomize-controller', 'argocd-controller']
    const place = 'spec.template.spec.hostNetwork'

    it.each([
      {name: 'by Flux', live: by(flux, 'Apply'), want: [`${place} cluster ${flux}`]},
      {
        name: 'by Argo CD',
        live: by(argocd, 'Update', spec({hostNetwork: true})),
        want: [`${place} cluster ${argocd}`],
      },
      {name: 'no defaults of what Argo CD created', live: by(argocd, 'Update', spec({})), want: []},
      {name: 'no more than it says', live: by(argocd, 'Update'), want: []},
    ])('is named: $name', ({live, want}) => {
      expect(drift({lock: wanted, tree: wanted, cluster: live})).toEqual(want)
    })

    it('is not named of what is created once, such as the finalizers of a Namespace', () => {
      const on = {lock: wanted, tree: wanted, cluster: by(flux, 'Apply')}
      expect(drift(on, {isCreatedOnce: true})).toEqual([])
    })

    it('is removed by a patch, but by the next install what this program added', () => {
      const added = (manager: string) =>
        driftOfSides(
          [{name: NAME, isCreatedOnce: false, on: {lock: wanted, cluster: by(manager, 'Apply')}}],
          ['lock', 'cluster'],
        ).flatMap(({differences}) => differences.map(each => each.added))
      expect(added(flux)).toEqual(['/spec/template/spec/hostNetwork'])
      expect(added('crossplane-packages')).toEqual([undefined])
    })
  })

  it('ignores what another program created, for objects that are created once', () => {
    expect(drift({lock: one, tree: one, cluster: two}, {isCreatedOnce: true})).toEqual([])
  })

  it('does not report an object as missing that must not be read', () => {
    expect(drift({lock: one, tree: one}, {isDenied: true})).toEqual([])
  })

  it('has no values of Secrets', () => {
    const secret = (data: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 's'},
      data: {key: data},
    })
    const name = {apiVersion: 'v1', kind: 'Secret', name: 's'}
    const on = {lock: secret('YQ=='), tree: secret('YQ=='), cluster: secret('Yg==')}
    const [object] = driftOfSides([{name, isCreatedOnce: false, on}], SIDES)
    expect(object?.differences).toEqual([
      {place: ['data', 'key'], differs: ['cluster'], values: {}, managers: []},
    ])
  })

  it('reports an annotation of the lock that the cluster lacks, such as a pause', () => {
    const spec = {replicas: 1}
    const lock = deployment(spec)
    const paused = {...lock, metadata: {...lock.metadata, annotations: {'crossplane.io/paused': 'true'}}}
    expect(drift({lock: paused, cluster: deployment(spec)})).toContain('metadata.annotations lock+cluster')
  })
})
