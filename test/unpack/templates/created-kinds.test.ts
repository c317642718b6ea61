import {describe, expect, it} from '@jest/globals'
import {createdKinds} from '../../../src/unpack/templates/created-kinds.js'
import type {Behavior} from '../../../src/unpack/package.js'

const CHART: Behavior = {
  crd: {apiVersion: 'example.org/v1', kind: 'Widget'},
  engine: {type: 'helm3'},
  source: {path: 'chart'},
}
const SOURCES = {
  crds: [{name: 'gadgets.example.org', group: 'example.org', kind: 'Gadget'}],
  dependencies: [
    {crd: 'buckets.storage.example.org/v1'},
    {crd: 'deployments.apps'},
    {crd: '*.wild.example.org/v1'},
    {package: 'example/other'},
  ],
}

function created(texts: Readonly<Record<string, string>>, behavior = CHART) {
  const files = Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text)}))
  return createdKinds(behavior, files, SOURCES)
}

const object = (apiVersion: string, kind: string) => `apiVersion: ${apiVersion}\nkind: ${kind}\n`

describe('the kinds that templates create', () => {
  it.each([
    {
      name: 'a kind of the package',
      reason: 'it may do everything with its own kinds',
      in: object('example.org/v1', 'Gadget'),
      want: {
        apiVersion: 'example.org/v1',
        kind: 'Gadget',
        coverage: 'covered',
        because: 'owned',
        of: 'gadgets.example.org',
      },
    },
    {
      name: 'a ConfigMap',
      reason: 'every package may create them',
      in: object('v1', 'ConfigMap'),
      want: {apiVersion: 'v1', kind: 'ConfigMap', coverage: 'covered', because: 'standard'},
    },
    {
      name: 'a kind of a dependency',
      reason: 'in any version, if none is required',
      in: object('apps/v1', 'Deployment'),
      want: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        coverage: 'covered',
        because: 'required',
        of: 'deployments.apps',
      },
    },
    {
      name: 'a kind of a wildcard',
      reason: 'it covers all kinds of the group',
      in: object('wild.example.org/v1', 'Any'),
      want: {
        apiVersion: 'wild.example.org/v1',
        kind: 'Any',
        coverage: 'covered',
        because: 'required',
        of: '*.wild.example.org/v1',
      },
    },
    {
      name: 'another version',
      reason: 'the permission has no version, but the requirement has',
      in: object('storage.example.org/v2', 'Bucket'),
      want: {
        apiVersion: 'storage.example.org/v2',
        kind: 'Bucket',
        coverage: 'other-version',
        because: 'required',
        of: 'buckets.storage.example.org/v1',
      },
    },
    {
      name: 'a kind without permissions',
      reason: 'the plural is that of Kubernetes',
      in: object('networking.k8s.io/v1', 'Ingress'),
      want: {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        coverage: 'uncovered',
        missing: 'ingresses.networking.k8s.io/v1',
      },
    },
    {
      name: 'a computed kind',
      reason: 'only rendering can tell',
      in: 'apiVersion: v1\nkind: {{ .Values.kind }}\n',
      want: {coverage: 'unknown'},
    },
  ])('$name: $reason', ({in: text, want}) => {
    expect(created({'templates/a.yaml': text})).toEqual([{...want, files: ['templates/a.yaml']}])
  })

  it('are listed once, by API version and kind, with all their templates', () => {
    const all = created({
      'templates/b.yaml': `${object('v1', 'Secret')}---\n{{ include "x" . }}\n`,
      'templates/a.yaml': `${object('v1', 'Secret')}---\n${object('v1', 'ConfigMap')}`,
      'templates/_c.yaml': object('v1', 'Pod'),
    })
    expect(all.map(({kind, files}) => [kind, files])).toEqual([
      ['ConfigMap', ['templates/a.yaml']],
      ['Secret', ['templates/a.yaml', 'templates/b.yaml']],
      [undefined, ['templates/b.yaml']],
    ])
  })

  it('include those that a kustomization generates', () => {
    const engine = {type: 'kustomize', kustomize: {kustomization: {secretGenerator: [{name: 'a'}]}}}
    const files = {'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': object('v1', 'Pod')}
    expect(created(files, {...CHART, engine}).map(({kind, coverage}) => [kind, coverage])).toEqual([
      ['Pod', 'uncovered'],
      ['Secret', 'covered'],
    ])
  })
})
