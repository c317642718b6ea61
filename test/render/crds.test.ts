import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {installedCrd, withClaims} from '../../src/render/crds.js'
import {ERAS} from '../../src/render/era.js'
import type {CrdMetadata, PackageCrd} from '../../src/unpack/package.js'
import {crdOf, packageOf} from './sample-package.js'

const era = ERAS.packages
const widget = crdOf('Widget')

function withMetadata(
  metadata: Partial<CrdMetadata>,
  annotations?: Readonly<Record<string, string>>,
): PackageCrd {
  const own = annotations === undefined ? {} : {annotations}
  return {
    ...widget,
    object: {...widget.object, metadata: {...widget.object.metadata, ...own}},
    metadata: {uiSchemas: [], ...metadata},
  }
}

function annotationsOf(crd: PackageCrd, title = ''): unknown {
  return installedCrd(era, packageOf({title}), crd).metadata.annotations
}

describe('an installed CRD', () => {
  it.each([
    {scope: 'Namespaced', label: 'namespace'},
    {scope: 'Cluster', label: 'environment'},
  ] as const)('has labels for management and the scope of its package: $scope', ({scope, label}) => {
    expect(installedCrd(era, packageOf({permissionScope: scope, title: 'Widgets'}), widget)).toEqual({
      ...widget.object,
      metadata: {
        name: 'widgets.example.org',
        labels: {'app.kubernetes.io/managed-by': 'package-manager', 'crossplane.io/scope': label},
        annotations: {'packages.crossplane.io/package-title': 'Widgets'},
      },
    })
  })

  it('keeps its own labels and annotations, except those with the same names', () => {
    const own = {
      labels: {a: 'b', 'crossplane.io/scope': 'mine', 'app.kubernetes.io/managed-by': 'me'},
      annotations: {
        a: 'b',
        'stacks.crossplane.io/stack-title': 'mine',
        'stacks.crossplane.io/icon-data-uri': 'mine',
      },
    }
    const crd = {...widget, object: {...widget.object, metadata: {name: 'widgets.example.org', ...own}}}
    expect(installedCrd(ERAS.stacks, packageOf({title: 'Widgets'}), crd).metadata).toEqual({
      name: 'widgets.example.org',
      labels: {a: 'b', 'crossplane.io/scope': 'namespace', 'app.kubernetes.io/managed-by': 'stack-manager'},
      annotations: {
        a: 'b',
        'stacks.crossplane.io/stack-title': 'Widgets',
        'stacks.crossplane.io/icon-data-uri': 'mine',
      },
    })
  })

  it('has claims beside its labels', () => {
    const claimed = withClaims(installedCrd(era, packageOf(), widget), {claim: 'true'})
    expect(claimed.metadata.labels).toEqual({
      'app.kubernetes.io/managed-by': 'package-manager',
      'crossplane.io/scope': 'namespace',
      claim: 'true',
    })
  })
})

describe('the annotations of a CRD', () => {
  const title = {'packages.crossplane.io/package-title': ''}

  it('contain every field of the group, resource and icon that apply, also empty ones', () => {
    const crd = withMetadata(
      {
        group: {title: 'g', category: '', readme: 'gr', overview: 'go', overviewShort: 'gs'},
        resource: {
          title: 'r',
          titlePlural: 'rp',
          category: 'rc',
          readme: '',
          overview: 'ro',
          overviewShort: 'rs',
        },
        icon: {base64Data: 'YQ==', mediatype: 'image/png'},
      },
      {'packages.crossplane.io/group-category': 'overridden', 'packages.crossplane.io/other': 'kept'},
    )
    expect(annotationsOf(crd, 't')).toEqual({
      'packages.crossplane.io/other': 'kept',
      'packages.crossplane.io/package-title': 't',
      'packages.crossplane.io/group-title': 'g',
      'packages.crossplane.io/group-category': '',
      'packages.crossplane.io/group-readme': 'gr',
      'packages.crossplane.io/group-overview': 'go',
      'packages.crossplane.io/group-overview-short': 'gs',
      'packages.crossplane.io/resource-title': 'r',
      'packages.crossplane.io/resource-title-plural': 'rp',
      'packages.crossplane.io/resource-category': 'rc',
      'packages.crossplane.io/resource-readme': '',
      'packages.crossplane.io/resource-overview': 'ro',
      'packages.crossplane.io/resource-overview-short': 'rs',
      'packages.crossplane.io/icon-data-uri': 'data:image/png;base64,YQ==',
    })
  })

  const key = 'packages.crossplane.io/ui-schema'
  it.each([
    {reason: 'files alone are joined', own: undefined, files: ['a', 'b'], want: {[key]: 'a\n---\nb'}},
    {reason: 'its own comes first, as it is', own: '\nown\n', files: ['a'], want: {[key]: '\nown\n\n---\na'}},
    {reason: 'its own alone stays', own: 'own', files: [], want: {[key]: 'own'}},
    {reason: 'an empty own one leaves no separator', own: '', files: ['a'], want: {[key]: 'a'}},
    {reason: 'none is none', own: undefined, files: [], want: {}},
  ])('ui-schema: $reason', ({own, files, want}) => {
    const crd = withMetadata({uiSchemas: files}, own === undefined ? {} : {[key]: own})
    expect(annotationsOf(crd)).toEqual({...title, ...want})
  })
})

describe('the size limit of annotations', () => {
  // Names and values of all annotations together: 256 KiB.
  const rest = 256 * 1024 - 'packages.crossplane.io/package-title'.length - 'own'.length

  it('is that of Kubernetes', () => {
    expect(Object.keys(annotationsOf(withMetadata({}, {own: 'x'.repeat(rest)})) as object)).toEqual([
      'own',
      'packages.crossplane.io/package-title',
    ])
  })

  it.each([
    {reason: 'one byte too many', crd: withMetadata({}, {own: 'x'.repeat(rest + 1)})},
    {reason: 'bytes, not characters', crd: withMetadata({}, {own: 'é'.repeat(rest / 2 + 1)})},
    {
      reason: 'an icon',
      crd: withMetadata({icon: {base64Data: 'A'.repeat(256 * 1024), mediatype: 'image/png'}}),
    },
  ])('is enforced, and the error names the file: $reason', ({crd}) => {
    const attempt = () => installedCrd(era, packageOf(), crd)
    expect(attempt).toThrow(CrossplaneError)
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'package-invalid',
        diagnostics: [
          expect.objectContaining({rule: 'annotations-size', file: '.registry/widgets.crd.yaml'}),
        ],
      }),
    )
  })
})
