import {describe, expect, it} from '@jest/globals'
import {inferredLayout, inferredSettings} from '../../../src/plan/folder/inferred-settings.js'
import {
  changedSettings,
  formatTreeSettings,
  readTreeSettings,
  type TreeSettings,
} from '../../../src/plan/folder/tree-settings.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'

const settings = (fields: Readonly<Record<string, JsonValue>>, ...formats: TreeSettings['formats']) => ({
  formats: formats.length === 0 ? (['stack', 'xpkg'] as const) : formats,
  fields: new Map(Object.entries(fields)),
})
const ARGOCD = settings({
  layout: 'argocd',
  'argocd.destination': {server: 'https://kubernetes.default.svc'},
  'argocd.repoURL': 'https://git.example.org/team/deploy',
  'xpkg.pin': 'config',
})

describe('the settings of a tree', () => {
  it('are read as they were written, with the line endings of any system', () => {
    const text = formatTreeSettings(ARGOCD)
    expect(text).toContain('Prune=false')
    for (const form of [text, text.replaceAll('\n', '\r\n')]) {
      const {formats, fields} = readTreeSettings(form, 'packages')
      expect({formats, fields: Object.fromEntries(fields)}).toEqual({
        formats: ARGOCD.formats,
        fields: {
          layout: 'argocd',
          'argocd.destination': {server: 'https://kubernetes.default.svc'},
          'argocd.repoURL': 'https://git.example.org/team/deploy',
          'xpkg.pin': 'config',
        },
      })
    }
  })

  const text = formatTreeSettings(ARGOCD)
  it.each([
    {name: 'another value', in: text.replace('layout: argocd', 'layout: plain')},
    {name: 'another hash', in: text.replace(/sha256: ./, 'sha256: x')},
    {name: 'no hash', in: text.replace(/# sha256.*\n/, '')},
    {name: 'another format', in: text.replace('v1', 'v2')},
    {name: 'nothing', in: ''},
    {name: 'garbage', in: 'garbage: [\n'},
    {name: 'a field of a newer release', in: formatTreeSettings(settings({layout: 'plain', colour: 'blue'}))},
    {name: 'a conflict with garbage', in: `<<<<<<< a\n${text}=======\nx\n>>>>>>> b\n`},
  ])('cannot be read with $name', ({in: changed}) => {
    expect(() => readTreeSettings(changed, 'packages')).toThrow(
      expect.objectContaining({code: 'output-refused', message: expect.stringContaining('tree.settings')}),
    )
  })

  it('are what both sides of a conflict agree on', () => {
    const theirs = formatTreeSettings(
      settings({layout: 'argocd', 'xpkg.pin': 'digest', coreVersion: 'v2.3.4'}),
    )
    const {fields} = readTreeSettings(`<<<<<<< a\n${text}=======\n${theirs}>>>>>>> b\n`, 'packages')
    expect([...fields.keys()].sort()).toEqual([
      'argocd.destination',
      'argocd.repoURL',
      'coreVersion',
      'layout',
    ])
  })

  it.each<{name: string; tree: TreeSettings; next: TreeSettings; want: readonly string[]}>([
    {name: 'nothing', tree: ARGOCD, next: ARGOCD, want: []},
    {
      name: 'a layout, without its options',
      tree: ARGOCD,
      next: settings({layout: 'flux', 'flux.interval': '10m', 'xpkg.pin': 'config'}),
      want: ['layout'],
    },
    {
      name: 'a first layout',
      tree: settings({layout: 'plain'}),
      next: settings({layout: 'flux', 'flux.interval': '10m'}),
      want: [],
    },
    {
      name: 'an option that had its default',
      tree: settings({layout: 'flux', 'flux.interval': '10m'}),
      next: settings({layout: 'flux', 'flux.interval': '10m', 'flux.name': 'mine'}),
      want: ['flux.name'],
    },
    {
      name: 'a pin and a version',
      tree: settings({layout: 'plain', 'xpkg.pin': 'digest', 'render.pin': false, coreVersion: 'v2.3.4'}),
      next: settings({layout: 'plain', 'xpkg.pin': 'config', 'render.pin': true}),
      want: ['xpkg.pin', 'render.pin', 'coreVersion'],
    },
    {
      name: 'a pin of packages that are no longer there',
      tree: settings({layout: 'plain', 'xpkg.pin': 'digest'}),
      next: settings({layout: 'plain'}, 'stack'),
      want: [],
    },
    {
      name: 'a first version of Crossplane',
      tree: settings({layout: 'plain'}),
      next: settings({layout: 'plain', coreVersion: 'v2.3.4'}),
      want: [],
    },
    {
      name: 'a setting of content that is forgotten, but not one with another value',
      tree: settings({layout: 'plain', 'xpkg.activate': 'used', 'xpkg.revisionHistoryLimit': 3}),
      next: settings({layout: 'plain', 'xpkg.revisionHistoryLimit': 2}),
      want: ['xpkg.activate'],
    },
    {
      name: 'CRDs of another declaration',
      tree: settings({layout: 'flux', crds: 'external'}),
      next: settings({layout: 'flux'}),
      want: ['crds'],
    },
  ])('change by $name', ({tree, next, want}) => {
    expect(changedSettings(tree, next).map(({field}) => field)).toEqual(want)
  })
})

describe('the settings of a tree without any', () => {
  const provider = (reference: string) =>
    `apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: p}\nspec: {package: "${reference}"}\n`
  const digest = `sha256:${'a'.repeat(64)}`
  const START = {
    'argocd/start.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: mine-applications, namespace: argocd}\nspec:\n  project: default\n  source: {repoURL: "https://git.example.org/a", targetRevision: HEAD}\n  syncPolicy: {retry: {refresh: true}}\n`,
    'flux/start.yaml': `kind: GitRepository\nmetadata: {name: flux-system}\n---\nkind: Kustomization\nmetadata: {name: packages, namespace: flux-system}\nspec: {interval: 5m, sourceRef: {name: flux-system}}\n`,
  }

  it.each<{name: string; files: Readonly<Record<string, string>>; want: Readonly<Record<string, JsonValue>>}>(
    [
      {name: 'a plain one', files: {'kustomization.yaml': ''}, want: {layout: 'plain'}},
      {
        name: 'one for Argo CD, pinned by digests',
        files: {
          'argocd/start.yaml': START['argocd/start.yaml'],
          'argocd/applications/xpkgs.yaml': 'spec: {destination: {name: production}}',
          'packages/provider-p.yaml': provider(`xpkg.example.org/p@${digest}`),
        },
        want: {
          layout: 'argocd',
          'argocd.destination': {name: 'production'},
          'argocd.name': 'mine',
          'argocd.namespace': 'argocd',
          'argocd.project': 'default',
          'argocd.refresh': true,
          'argocd.repoURL': 'https://git.example.org/a',
          'argocd.targetRevision': 'HEAD',
          'xpkg.pin': 'digest',
        },
      },
      {
        name: 'one for Flux, pinned by ImageConfigs',
        files: {
          'flux/start.yaml': START['flux/start.yaml'],
          'config/imageconfig-p.yaml': `apiVersion: pkg.crossplane.io/v1beta1\nkind: ImageConfig\nmetadata: {name: p}\nspec: {rewriteImage: {prefix: "xpkg.example.org/p@${digest}"}}\n`,
          'stage-1/provider-p.yaml': provider('xpkg.example.org/p:v1.0.0'),
        },
        want: {
          layout: 'flux',
          'flux.source': 'flux-system',
          'flux.namespace': 'flux-system',
          'flux.interval': '5m',
          'xpkg.pin': 'config',
        },
      },
      {
        name: 'one of an earlier layout, whose images are pinned',
        files: {
          'flux/crds.yaml': '',
          'installs/x.y/deployment-y.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec: {template: {spec: {containers: [{image: "x/y:v1@${digest}"}]}}}\n`,
        },
        want: {layout: 'flux', 'render.pin': true},
      },
    ],
  )('are inferred from its files: $name', ({files, want}) => {
    const {fields} = inferredSettings(Object.keys(files), new Map(Object.entries(files)), 'packages')
    expect(Object.fromEntries(fields)).toEqual(want)
    expect(inferredLayout(Object.keys(files))).toBe(want.layout)
  })
})
