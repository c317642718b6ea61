import {describe, expect, it} from '@jest/globals'
import {UNKNOWN_FIELD} from '../../src/crd/instances/check-object.js'
import {readObjects} from '../../src/usage/objects/read-objects.js'
import type {FieldPath} from '../../src/yaml/json-value.js'

const DB = (name: string) =>
  `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  size: 5\n`

type Files = Readonly<Record<string, string>>

describe('what kustomize may change before it is applied', () => {
  const PATCH = 'apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\nspec: {size: 3}\n'
  const BASE = {'b/kustomization.yaml': 'resources: [a.yaml]\n', 'b/a.yaml': DB('a')}
  const PREFIXED = {...BASE, 'b/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: p-\nnamespace: ns\n'}
  const REMOVE = '[{"op": "remove", "path": "/spec/size"}]'
  const overlay = (name: string, more: string) => ({
    [`${name}/kustomization.yaml`]: `resources: [../b]\n${more}`,
    [`${name}/p.yaml`]: PATCH,
  })
  const patches = 'patches:\n- path: p.yaml\n'
  const inline = (target: string, patch: string) => `patches:\n- target: ${target}\n  patch: '${patch}'\n`
  const SIZE = ['spec', 'size']
  const changed = (files: Files, place: FieldPath, keyword?: string) => {
    const {objects} = readObjects(
      Object.entries(files).map(([path, text]) => ({path, bytes: Buffer.from(text)})),
    )
    return objects.filter(({kind}) => kind === 'Db').map(object => object.changedBy?.(place, keyword))
  }
  const component = (more: string) => `kind: Component\n${more}`
  const merged = (text: string, name = 'a') => `patches:\n- patch: |\n    ${patchOf(text, name)}\n`
  const patchOf = (text: string, name: string) =>
    JSON.stringify({...{apiVersion: 'example.org/v1', kind: 'Db', metadata: {name}}, ...JSON.parse(text)})
  const flux = (spec: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: ${spec}\n`
  const argo = (spec: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: f}\nspec: ${spec}\n`

  it.each([
    {name: 'a patch of an overlay', in: {...BASE, ...overlay('o', patches)}, want: 'o/kustomization.yaml'},
    {name: 'no overlay', in: BASE, want: undefined},
    {
      name: 'an overlay that changes other fields',
      in: {...BASE, ...overlay('o', patches)},
      at: ['spec', 'tags'],
      want: undefined,
    },
    {
      name: 'one of two overlays',
      in: {...BASE, ...overlay('o', patches), ...overlay('p', 'namePrefix: p-\n')},
      want: undefined,
    },
    {
      name: 'an overlay of an overlay',
      in: {
        ...BASE,
        ...overlay('o', ''),
        'q/kustomization.yaml': 'resources: [../o]\npatches:\n- path: ../o/p.yaml\n',
      },
      want: 'q/kustomization.yaml',
    },
    {
      name: 'a component',
      in: {
        ...BASE,
        'o/kustomization.yaml': 'resources: [../b]\ncomponents: [../c]\n',
        'c/kustomization.yaml': 'kind: Component\npatches:\n- path: p.yaml\n',
        'c/p.yaml': PATCH,
      },
      want: 'o/kustomization.yaml',
    },
    {
      name: 'an operation on the field',
      in: {...BASE, ...overlay('o', inline('{kind: Db}', '[{"op": "remove", "path": "/spec/size"}]'))},
      want: 'o/kustomization.yaml',
    },
    {
      name: 'an operation on another kind',
      in: {...BASE, ...overlay('o', inline('{kind: Net|Disk}', '[{"op": "remove", "path": "/spec/size"}]'))},
      want: undefined,
    },
    {
      name: 'an operation on an item before it',
      in: {
        ...BASE,
        ...overlay('o', inline('{name: a}', '[{"op": "add", "path": "/spec/rules/0", "value": 1}]')),
      },
      at: ['spec', 'rules', '2'],
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a test',
      in: {
        ...BASE,
        ...overlay('o', inline('{name: a}', '[{"op": "test", "path": "/spec/size", "value": 1}]')),
      },
      want: undefined,
    },
    {
      name: 'a patch of another object',
      in: {
        ...BASE,
        ...overlay('o', patches.replace('p.yaml', 'q.yaml')),
        'o/q.yaml': PATCH.replace('name: a', 'name: b'),
      },
      want: undefined,
    },
    {
      name: 'a patch that is not among the files',
      in: {...BASE, ...overlay('o', patches.replace('p.yaml', 'q.yaml'))},
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a patch that replaces what the field is in',
      in: {
        ...BASE,
        ...overlay(
          'o',
          `patchesStrategicMerge:\n- |\n  apiVersion: example.org/v1\n  kind: Db\n  metadata: {name: a}\n  spec: {$patch: replace}\n`,
        ),
      },
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a replacement',
      in: {
        ...BASE,
        ...overlay(
          'o',
          'replacements:\n- source: {kind: Db}\n  targets:\n  - select: {kind: Db}\n    fieldPaths: [spec.size]\n',
        ),
      },
      want: 'o/kustomization.yaml',
    },
    {
      name: 'kustomizations that take each other',
      in: {...BASE, 'b/kustomization.yaml': 'resources: [a.yaml, ../o]\n', ...overlay('o', patches)},
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a component of a component',
      in: {
        ...BASE,
        'o/kustomization.yaml': 'resources: [../b]\ncomponents: [../c]\n',
        'c/kustomization.yaml': component('components: [../d, ../c]\n'),
        'd/kustomization.yaml': component(merged('{"spec": {"size": 3}}')),
      },
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a patch of the name that the base makes',
      in: {...PREFIXED, ...overlay('o', merged('{"spec": {"size": 3}}', 'p-a'))},
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a target of the name and namespace that the base makes',
      in: {...PREFIXED, ...overlay('o', inline('{name: p-a, namespace: ns}', REMOVE))},
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a patch of the name that a component makes',
      in: {
        ...BASE,
        'o/kustomization.yaml': `resources: [../b]\ncomponents: [../c]\n${merged('{"spec": {"size": 3}}', 'a-s')}`,
        'c/kustomization.yaml': component('nameSuffix: -s\n'),
      },
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a target of the name that the same overlay makes after its patches',
      in: {...BASE, ...overlay('o', `namePrefix: p-\n${inline('{name: p-a}', REMOVE)}`)},
      want: undefined,
    },
    {
      name: 'a base that Flux applies, too',
      in: {...BASE, ...overlay('o', patches), 'f.yaml': flux('{path: ./b}')},
      want: undefined,
    },
    {
      name: 'a base that Argo CD applies, too',
      in: {...BASE, ...overlay('o', patches), 'f.yaml': argo('{source: {path: b}}')},
      want: undefined,
    },
    {
      name: 'a base that Argo CD applies beside others',
      in: {...BASE, ...overlay('o', patches), 'f.yaml': argo('{sources: [{path: o}, {path: b/}]}')},
      want: undefined,
    },
    {
      name: 'an overlay that Flux applies',
      in: {...BASE, ...overlay('o', patches), 'f.yaml': flux('{path: ./o}')},
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a base that Flux applies with changes',
      in: {
        ...BASE,
        ...overlay('o', patches),
        'f.yaml': flux('{path: ./b, patches: [{patch: x, target: {kind: Db}}]}'),
      },
      want: 'o/kustomization.yaml',
    },
    {
      name: 'a folder of the same name that Flux applies',
      in: {
        ...{'x/b/kustomization.yaml': 'resources: [a.yaml]\n', 'x/b/a.yaml': DB('a')},
        ...{'x/o/kustomization.yaml': `resources: [../b]\n${inline('{kind: Db}', REMOVE)}`},
        ...{'b/kustomization.yaml': 'resources: []\n', 'f.yaml': flux('{path: ./b}')},
      },
      want: 'x/o/kustomization.yaml',
    },
  ])('is found: $name', ({in: files, at = SIZE, want}) => {
    expect(changed(files, at)).toEqual([want])
  })

  it('is found in time where many ways lead to a base', () => {
    const layers = Array.from({length: 40}, (_, at) => at)
    const below = (layer: number) => (layer === 0 ? '../b' : `../${layer - 1}x, ../${layer - 1}y`)
    const files = Object.fromEntries(
      layers.flatMap(layer =>
        ['x', 'y'].map(side => [`${layer}${side}/kustomization.yaml`, `resources: [${below(layer)}]\n`]),
      ),
    )
    const last = (more: string) => ({'z/kustomization.yaml': `resources: [../39x, ../39y]\n${more}`})
    expect(changed({...BASE, ...files, ...last(inline('{kind: Db}', REMOVE))}, SIZE)).toEqual([
      'z/kustomization.yaml',
    ])
    const elsewhere = {...files, ...last(inline('{kind: Net}', REMOVE))}
    expect(changed({...BASE, ...elsewhere}, SIZE)).toEqual([undefined])
  })

  it('is not found behind very many overlays', () => {
    const chain = Array.from({length: 3000}, (_, at): [string, string] => [
      `${at}/kustomization.yaml`,
      `resources: [../${at === 0 ? 'b' : at - 1}]\n${at === 2999 ? inline('{kind: Db}', REMOVE) : ''}`,
    ])
    expect(changed({...BASE, ...Object.fromEntries(chain)}, SIZE)).toEqual([undefined])
  })

  it.each([
    {name: 'another text', in: '{"spec": {"tier": "b"}}', want: false},
    {name: 'a variable', in: '{"spec": {"tier": "${TIER}"}}', want: true},
    {name: 'a number', in: '{"spec": {"tier": 3}}', want: true},
    {name: 'null', in: '{"spec": {"tier": null}}', want: true},
    {name: 'a list around it', in: '{"spec": []}', want: true},
    {name: 'an operation with another text', in: '/spec/tier', want: false},
    {name: 'an operation around it', in: '/spec', want: true},
  ])('gives a text another type: $name: $want', ({in: text, want}) => {
    const more = text.startsWith('/') ? operation({op: 'replace', path: text, value: 'b'}) : merged(text)
    const files = {...BASE, ...overlay('o', more), 'b/a.yaml': DB('a').replace('size: 5', 'tier: a')}
    expect(changed(files, ['spec', 'tier'], 'type')).toEqual([want ? 'o/kustomization.yaml' : undefined])
  })

  const operation = (one: object) => inline('{kind: Db}', JSON.stringify([one]))
  const IN_LIST = ['spec', 'rules', 2, 'zone']

  it.each([
    {name: 'another value', in: merged('{"spec": {"zone": "prod"}}'), want: false},
    {name: 'another object', in: merged('{"spec": {"zone": {"a": null}}}'), want: false},
    {name: 'null', in: merged('{"spec": {"zone": null}}'), want: true},
    {name: '$patch', in: merged('{"spec": {"zone": {"$patch": "delete"}}}'), want: true},
    {name: '$patch around it', in: merged('{"spec": {"$patch": "replace", "size": 3}}'), want: true},
    {
      name: '$patch around it, with it',
      in: merged('{"spec": {"$patch": "replace", "zone": 3}}'),
      want: false,
    },
    {name: 'null around it', in: merged('{"spec": null}'), want: true},
    {name: 'a list without it', in: merged('{"spec": {"rules": [{"a": 1}]}}'), at: IN_LIST, want: true},
    {name: 'a list with it', in: merged('{"spec": {"rules": [{"zone": 1}]}}'), at: IN_LIST, want: false},
    {name: 'remove', in: operation({op: 'remove', path: '/spec/zone'}), want: true},
    {name: 'remove within it', in: operation({op: 'remove', path: '/spec/zone/a'}), want: false},
    {
      name: 'remove of an item',
      in: operation({op: 'remove', path: '/spec/rules/0'}),
      at: IN_LIST,
      want: true,
    },
    {name: 'move', in: operation({op: 'move', from: '/spec/zone', path: '/spec/size'}), want: true},
    {name: 'move to it', in: operation({op: 'move', from: '/spec/size', path: '/spec/zone'}), want: false},
    {name: 'copy around it', in: operation({op: 'copy', from: '/status', path: '/spec'}), want: true},
    {name: 'add', in: operation({op: 'add', path: '/spec/zone', value: 'prod'}), want: false},
    {name: 'replace', in: operation({op: 'replace', path: '/spec/zone', value: 'prod'}), want: false},
    {name: 'replace around it', in: operation({op: 'replace', path: '/spec', value: {size: 3}}), want: true},
    {
      name: 'replace around it, with it',
      in: operation({op: 'replace', path: '/spec', value: {zone: 3}}),
      want: false,
    },
    {
      name: 'add of an item',
      in: operation({op: 'add', path: '/spec/rules/0', value: {}}),
      at: IN_LIST,
      want: false,
    },
    {name: 'a test', in: operation({op: 'test', path: '/spec/zone', value: 1}), want: false},
    {
      name: 'a replacement',
      in: 'replacements:\n- source: {kind: Db}\n  targets:\n  - select: {kind: Db}\n    fieldPaths: [spec.zone]\n',
      want: false,
    },
    {name: 'a transformer', in: 'transformers: [t.yaml]\n', want: true},
    {name: 'a patch that is not read', in: 'patches:\n- path: elsewhere.yaml\n', want: true},
  ])('removes an unknown field: $name: $want', ({in: more, at = ['spec', 'zone'], want}) => {
    expect(changed({...BASE, ...overlay('o', more)}, at, UNKNOWN_FIELD)).toEqual([
      want ? 'o/kustomization.yaml' : undefined,
    ])
  })
})
