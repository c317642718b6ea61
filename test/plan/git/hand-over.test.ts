import {describe, expect, it} from '@jest/globals'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {findHandOver} from '../../../src/plan/git/hand-over.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'

const FLUX = {labels: {'kustomize.toolkit.fluxcd.io/name': 'apps'}}
const ARGOCD = {annotations: {'argocd.argoproj.io/tracking-id': 'apps:pkg.crossplane.io/Provider:/mine'}}

function provider(name: string, more: object = {}): KubernetesObject {
  return {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name, ...more}}
}

function found(text: string, metadata: object) {
  const object = provider('mine', metadata)
  const files = [{path: 'a.yaml', bytes: Buffer.from(text)}]
  return findHandOver(
    {files, unread: []},
    [provider('mine')],
    new Map([[objectKey({...object, name: 'mine'}), object]]),
  )
}

const HEAD = 'apiVersion: pkg.crossplane.io/v1\nkind: Provider\n'
const SPEC = 'spec:\n  package: r.example.org/x/a:v1.0.0 # kept\n'

describe('a hand-over of objects in a repository', () => {
  it.each([
    {
      name: 'for Flux, before other fields of the metadata',
      live: FLUX,
      text: `${HEAD}metadata:\n  name: mine\n${SPEC}`,
      want: `${HEAD}metadata:\n  annotations:\n    kustomize.toolkit.fluxcd.io/prune: disabled\n  name: mine\n${SPEC}`,
    },
    {
      name: 'for Argo CD, beside other annotations, with the sync options that it has',
      live: ARGOCD,
      text: `${HEAD}metadata:\n    name: mine\n    annotations:\n        argocd.argoproj.io/sync-options: Replace=true\n${SPEC}`,
      want: `${HEAD}metadata:\n    name: mine\n    annotations:\n        argocd.argoproj.io/sync-options: Replace=true,Prune=false,Delete=false\n${SPEC}`,
    },
    {
      name: 'for both, in one of several documents',
      live: {...FLUX, ...ARGOCD},
      text: `kind: Other\n---\n${HEAD}metadata:\n  name: mine\n${SPEC}`,
      want: `kind: Other\n---\n${HEAD}metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: Prune=false,Delete=false\n    kustomize.toolkit.fluxcd.io/prune: disabled\n  name: mine\n${SPEC}`,
    },
    {name: 'not where no controller applies them', live: {}, text: `${HEAD}metadata: {name: mine}\n`},
    {
      name: 'not where they are protected',
      live: FLUX,
      text: `${HEAD}metadata:\n  name: mine\n  annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}\n`,
    },
  ])('protects them $name', ({live, text, want = text}) => {
    const {files} = found(text, live)
    expect(files).toMatchObject([{path: 'a.yaml', before: text, protected: want}])
  })

  it('leaves braces to the user, and does not search what is not YAML', () => {
    const {files} = found(`${HEAD}metadata: {name: mine}\n`, FLUX)
    expect(files.map(file => file.protected)).toEqual([undefined])
    expect(found('{{ template }}: {{', FLUX)).toMatchObject({
      files: [],
      unread: [{file: 'a.yaml', line: 1, reason: expect.stringContaining('it cannot be read: ')}],
    })
  })

  it('names each object with its line, and whether others stay', () => {
    const {files, controllers} = found(
      `${HEAD}metadata: {name: mine}\n---\n${HEAD}metadata: {name: other}\n`,
      FLUX,
    )
    expect(controllers).toEqual(['flux'])
    expect(files).toMatchObject([{hasOthers: true, objects: [{name: {name: 'mine'}, line: 1}]}])
  })

  const list = (...names: readonly string[]) => {
    const annotations = {'kustomize.toolkit.fluxcd.io/prune': 'disabled'}
    const items = names.map(name =>
      provider(name, name.endsWith('!') ? {name: name.slice(0, -1), annotations} : {}),
    )
    return `kind: Other\n---\n${writeYaml([{apiVersion: 'v1', kind: 'List', items}])}`
  }

  it.each([
    {name: 'to be protected by hand', text: list('other', 'mine'), isByHand: true, line: 9},
    {name: 'that is protected', text: list('mine!'), isByHand: false, line: 5},
  ])('finds the items of a List $name', ({text, isByHand, line}) => {
    expect(found(text, FLUX).files).toEqual([
      {
        ...{path: 'a.yaml', before: text, hasOthers: true},
        objects: [{name: expect.objectContaining({kind: 'Provider', name: 'mine'}), line}],
        ...(isByHand ? {} : {protected: text}),
      },
    ])
  })

  it('removes the file of a List whose items are all of the new tree', () => {
    const text = list('mine').replace('kind: Other\n---\n', '')
    expect(found(text, FLUX).files).toMatchObject([{hasOthers: false}])
    expect(found(list('other'), FLUX).files).toEqual([])
  })

  it('names what a kustomization has elsewhere, and the objects that a controller applies from there', () => {
    const files = [
      {
        path: 'overlay/kustomization.yaml',
        bytes: Buffer.from('resources:\n- ../base\n- a.yaml\npatches:\n- path: patch.yaml\n'),
      },
      {path: 'overlay/a.yaml', bytes: Buffer.from(`${HEAD}metadata: {name: mine}\n`)},
    ]
    const live = ['mine', 'other', 'manual'].map(name => provider(name, name === 'manual' ? {} : FLUX))
    const {unread, elsewhere} = findHandOver(
      {files, unread: []},
      live,
      new Map(live.map(object => [objectKey({...object, name: object.metadata.name}), object])),
    )
    expect(unread).toEqual([
      {file: 'overlay/kustomization.yaml', line: 4, reason: 'kustomize changes objects by patches'},
      {file: 'overlay/kustomization.yaml', line: 2, reason: 'kustomize reads ../base, which was not read'},
    ])
    expect(elsewhere).toEqual([expect.objectContaining({kind: 'Provider', name: 'other'})])
  })
})
