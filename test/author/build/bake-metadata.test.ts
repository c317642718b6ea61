import {describe, expect, it} from '@jest/globals'
import {bakeMetadata} from '../../../src/author/build/bake-metadata.js'
import {installedCrd} from '../../../src/render/crds.js'
import type {EraName} from '../../../src/reference/era-name.js'
import {ERAS} from '../../../src/render/era.js'
import {examinePackage, readPackage} from '../../../src/unpack/read-package.js'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import {registryFilesIn} from '../../corpus.js'

const crd = (kind: string, annotations = '') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${kind.toLowerCase()}s.example.org${annotations}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
const OWN_SCHEMA = `
  annotations: {packages.crossplane.io/ui-schema: own, other: stays}`

function packageOf(files: Readonly<Record<string, string>>): PackageFile[] {
  const all = {'app.yaml': 'title: Baked\npermissionScope: Cluster\n', ...files}
  return Object.entries(all).map(([path, text]) => ({path, bytes: Buffer.from(text)}))
}

const bake = (files: readonly PackageFile[], era: EraName = 'packages') =>
  bakeMetadata(files, examinePackage(files), ERAS[era])

/** The part of the install set that metadata can change. */
function installed(files: readonly PackageFile[], era: EraName = 'packages'): unknown {
  const read = readPackage('test', files)
  return {crds: read.crds.map(each => installedCrd(ERAS[era], read, each)), icons: read.icons}
}

const names = (files: readonly PackageFile[]) => files.map(({path}) => path).sort()

describe('baked metadata', () => {
  it.each<{name: string; files: Readonly<Record<string, string>>; left: readonly string[]}>([
    {
      name: 'group, resource and ui-schemas at several levels',
      files: {
        'group.yaml': 'title: Top\n',
        'ui-schema.yaml': 'a: 1\n',
        'a/group.yaml': 'title: Near\n',
        'a/widget.resource.yaml': 'id: widget\ntitle: A widget\n',
        'a/widget.ui-schema.yaml': '\nb: 2\n\n',
        'a/widget.crd.yaml': crd('Widget', OWN_SCHEMA),
        'b/gadget.crd.yaml': crd('Gadget'),
      },
      left: ['a/widget.crd.yaml', 'app.yaml', 'b/gadget.crd.yaml'],
    },
    {
      name: 'several CRDs in a file, some of them described',
      files: {
        'all.crd.yaml': [crd('Widget'), crd('Gadget', OWN_SCHEMA)].join('---\n'),
        'gadget.resource.yaml': 'id: gadget\ntitle: A gadget\n',
      },
      left: ['all.crd.yaml', 'app.yaml'],
    },
    {
      name: 'icons of CRDs, and none of the package',
      files: {
        'a/icon.svg': '<svg/>',
        'a/b/widget.icon.png': 'png',
        'a/b/widget.crd.yaml': crd('Widget'),
        'a/gadget.crd.yaml': crd('Gadget'),
      },
      left: ['a/b/widget.crd.yaml', 'a/gadget.crd.yaml', 'app.yaml'],
    },
    {
      name: 'an icon of the package, which would win over a baked one',
      files: {
        'icon.svg': '<svg/>',
        'a/icon.png': 'png',
        'a/widget.crd.yaml': crd('Widget'),
        'gadget.crd.yaml': crd('Gadget'),
      },
      left: ['a/icon.png', 'a/widget.crd.yaml', 'app.yaml', 'gadget.crd.yaml', 'icon.svg'],
    },
    {
      name: 'an icon of the package for a kind that does not exist',
      files: {'other.icon.svg': '<svg/>', 'a/icon.png': 'png', 'a/widget.crd.yaml': crd('Widget')},
      left: ['a/widget.crd.yaml', 'app.yaml', 'other.icon.svg'],
    },
    {
      name: 'files that describe nothing',
      files: {
        'a/group.yaml': 'title: Of nothing\n',
        'README.md': '# Stays',
        'widget.crd.yaml': crd('Widget'),
      },
      left: ['README.md', 'app.yaml', 'widget.crd.yaml'],
    },
    {
      name: 'an empty ui-schema',
      files: {'ui-schema.yaml': '\n', 'widget.crd.yaml': crd('Widget')},
      left: ['app.yaml', 'widget.crd.yaml'],
    },
  ])('has the same meaning: $name', ({files, left}) => {
    const before = packageOf(files)
    const after = bake(before)
    expect({names: names(after), installed: installed(after)}).toEqual({
      names: left,
      installed: installed(before),
    })
    expect(bake(after)).toEqual(after)
  })

  it('is for one era, and has the same meaning in it', () => {
    const before = packageOf({'group.yaml': 'title: Top\n', 'widget.crd.yaml': crd('Widget')})
    expect(installed(bake(before, 'stacks'), 'stacks')).toEqual(installed(before, 'stacks'))
    expect(Buffer.from(bake(before, 'stacks').at(-1)!.bytes).toString()).toContain(
      'stacks.crossplane.io/group-title: Top',
    )
  })

  it('does not change a CRD without metadata', () => {
    const before = packageOf({
      'a/group.yaml': 'title: A\n',
      'a/widget.crd.yaml': crd('Widget'),
      'gadget.crd.yaml': crd('Gadget'),
    })
    const bytesOf = (files: readonly PackageFile[]) =>
      files.find(({path}) => path === 'gadget.crd.yaml')?.bytes
    expect(bytesOf(bake(before))).toBe(bytesOf(before))
  })

  it.each(['cli-database', 'cli-blog', 'full-observatory', 'image-counter', 'inspect-wide'])(
    'has the same meaning: %s',
    name => {
      const before = registryFilesIn(`test/testdata/packages/${name}/.registry`)
      expect(installed(bake(before))).toEqual(installed(before))
    },
  )
})
