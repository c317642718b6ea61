import {describe, expect, it} from '@jest/globals'
import {lintExample} from '../../../src/author/lint/lint-example.js'
import {SQUARE_PNG, SQUARE_SVG, WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {crdOf, describeFindings} from './lint-case.js'

const RESOURCE = 'id: widget\ntitle: Widget\ntitlePlural: Widgets\ncategory: ""\n'

describeFindings('files that describe CRDs', [
  {
    name: 'files in the folder of their CRD, and above',
    reason: 'it applies',
    files: {
      'icon.svg': SQUARE_SVG,
      'ui-schema.yaml': 'a: 1\n',
      'resources/icon.svg': SQUARE_SVG,
      'resources/icon.png': SQUARE_PNG,
      'resources/group.yaml': 'group: example.org\ntitle: W\ncategory: ""\n',
      'resources/widget/widget.v1alpha1.ui-schema.yaml': 'a: 1\n',
      'resources/widget/widget.icon.png': SQUARE_PNG,
      'resources/widget/resource.yaml': RESOURCE,
      'resources/widget/crd.yaml': WIDGET_CRD,
    },
    want: [],
  },
  {
    name: 'files in other folders or for another kind',
    reason: 'it is never shown; only files beside app.yaml describe the package',
    files: {
      'gear.icon.svg': SQUARE_SVG,
      'resources/crd.yaml': WIDGET_CRD,
      'resources/gear.icon.svg': SQUARE_SVG,
      'resources/widgets.ui-schema.yaml': 'a: 1\n',
      'resources/Widget.ui-schema.yaml': 'a: 1\n',
      'resources/icon.SVG': SQUARE_SVG,
      'resources/more/group.yaml': 'title: W\ncategory: ""\n',
      'resources/more/resource.yaml': RESOURCE,
      'resources/resource.yaml': RESOURCE.replace('id: widget\n', ''),
    },
    want: [
      'resources/Widget.ui-schema.yaml [metadata-orphan]',
      'resources/gear.icon.svg [metadata-orphan]',
      'resources/icon.SVG [metadata-orphan]',
      'resources/more/group.yaml [metadata-orphan]',
      'resources/more/resource.yaml [metadata-orphan]',
      'resources/resource.yaml [metadata-orphan]',
      'resources/widgets.ui-schema.yaml [metadata-orphan]',
    ],
  },
  {
    name: 'a CRD that cannot be read',
    reason: 'it could be the described one',
    files: {'resources/crd.yaml': 'kind: [', 'resources/widget.icon.svg': SQUARE_SVG},
    want: ['resources/crd.yaml:1 [yaml-syntax]'],
  },
  {
    name: 'a CRD whose kind is missing',
    reason: 'it could be the described one',
    files: {'a/crd.yaml': WIDGET_CRD.replace('    kind: Widget\n', ''), 'a/widget.icon.svg': SQUARE_SVG},
    want: ['a/crd.yaml:7 spec.names.kind [crd-field-missing]'],
  },
  {
    name: 'a CRD with other faults',
    reason: 'it is described all the same',
    files: {
      'a/crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: All'),
      'a/widget.icon.svg': SQUARE_SVG,
    },
    want: ['a/crd.yaml:10 spec.scope [crd-scope]'],
  },
  {
    name: 'a group by its own word and by its folder',
    reason: 'its own word counts',
    files: {
      'example.net/group.yaml': 'group: example.org\ntitle: W\ncategory: ""\n',
      'example.net/crd.yaml': WIDGET_CRD,
      'widgets/group.yaml': 'group: example.net\ntitle: W\ncategory: ""\n',
      'widgets/crd.yaml': crdOf('Gadget'),
    },
    want: ['widgets/group.yaml:1 group [group-mismatch]'],
  },
  {
    name: 'a group.yaml above another',
    reason: 'it is for those that have none nearer; above all of them it never counts',
    files: {
      'a/group.yaml': 'title: A\ncategory: ""\n',
      'a/b/group.yaml': 'title: B\ncategory: ""\n',
      'a/b/crd.yaml': WIDGET_CRD,
    },
    want: ['a/group.yaml [metadata-shadowed]'],
  },
  {
    name: 'a file for a version of one of several kinds',
    reason: 'a version that any of them has will do',
    files: {
      'a/crd.yaml': WIDGET_CRD,
      'b/crd.yaml': WIDGET_CRD.replaceAll('example.org', 'example.net').replace('v1alpha1', 'v1'),
      'widget.v1.ui-schema.yaml': 'a: 1\n',
      'widget.v2.ui-schema.yaml': 'a: 1\n',
      'widget.v2x.ui-schema.yaml': 'a: 1\n',
    },
    want: ['widget.v2.ui-schema.yaml [metadata-version]'],
  },
])

/** As in a real release: its CRDs were generated into a folder of their own, and the files that describe them stayed behind. */
function crdsMovedAway(kinds: readonly string[]): Record<string, string> {
  const files = kinds.flatMap(kind => {
    const word = kind.toLowerCase()
    const folder = `resources/example.org/${word}`
    return [
      [`crds/example.org_${word}s.crd.yaml`, crdOf(kind)],
      [`${folder}/${word}.icon.svg`, SQUARE_SVG],
      [`${folder}/${word}.resource.yaml`, RESOURCE.replace('widget', word)],
      [`${folder}/${word}.ui-schema.yaml`, 'a: 1\n'],
    ] as const
  })
  return Object.fromEntries(files)
}

describe('CRDs moved away from their metadata', () => {
  const kinds = Array.from(
    {length: 38},
    (_, index) => `Thing${String.fromCharCode(97 + (index % 26))}${index}`,
  )
  const files = crdsMovedAway(kinds)

  it('leave 114 unused metadata files, each of which is reported', () => {
    const orphans = Object.keys(files).filter(path => path.startsWith('resources/'))
    expect(orphans).toHaveLength(114)
    const found = lintExample({files}).map(({rule, file}) => `${file} [${rule}]`)
    expect(found.sort()).toEqual(orphans.map(path => `.registry/${path} [metadata-orphan]`).sort())
  })

  it('are reported with the location of the CRD', () => {
    const [first] = lintExample({files})
    expect(first?.message).toContain('.registry/crds/example.org_thinga0s.crd.yaml')
  })
})
