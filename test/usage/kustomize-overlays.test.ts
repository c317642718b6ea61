import {describe, expect, it} from '@jest/globals'
import {readObjects} from '../../src/usage/objects/read-objects.js'

const DB = (name: string) =>
  `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  size: 5\n`

describe('what kustomize may change before it is applied', () => {
  const PATCH = 'apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\nspec: {size: 3}\n'
  const BASE = {'b/kustomization.yaml': 'resources: [a.yaml]\n', 'b/a.yaml': DB('a')}
  const overlay = (name: string, more: string) => ({
    [`${name}/kustomization.yaml`]: `resources: [../b]\n${more}`,
    [`${name}/p.yaml`]: PATCH,
  })
  const patches = 'patches:\n- path: p.yaml\n'
  const inline = (target: string, patch: string) => `patches:\n- target: ${target}\n  patch: '${patch}'\n`
  const changed = (files: Readonly<Record<string, string>>, ...place: readonly string[]) => {
    const {objects} = readObjects(
      Object.entries(files).map(([path, text]) => ({path, bytes: Buffer.from(text)})),
    )
    return objects.map(object => object.changedBy?.(place.length === 0 ? ['spec', 'size'] : place))
  }

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
  ])('is found: $name', ({in: files, at = [], want}) => {
    expect(changed(files, ...at)).toEqual([want])
  })
})
