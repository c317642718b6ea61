import {describe, expect, it} from '@jest/globals'
import {KUBERNETES_TYPES} from '../../src/unpack/go/kubernetes-types.js'
import {readPackage} from '../../src/unpack/read-package.js'
import {
  APP,
  changed,
  CLUSTER_APP,
  CRD,
  describeReadings,
  reading,
  refused,
  registryFiles,
  taken,
} from './malformed-case.js'
import {wrongValues} from './malformed-values.js'

const file = '.registry/crd.yaml'
const crd = (text: string) => ({'app.yaml': APP, 'crd.yaml': text})
const CRD_V1BETA1 = changed(changed(CRD, 'k8s.io/v1', 'k8s.io/v1beta1'), 'spec:\n', 'spec:\n  version: v1\n')
const GADGET = CRD.replaceAll('widget', 'gadget').replaceAll('Widget', 'Gadget')

describeReadings('a CRD file without a CRD', [
  {
    name: '0 bytes',
    reason: 'an empty file does not define a CRD',
    files: crd(''),
    want: taken({rule: 'crd-empty', file}),
  },
  {
    name: 'comments alone',
    reason: 'comments are not a document',
    files: crd('# later\n---\n'),
    want: taken({rule: 'crd-empty', file}),
  },
  ...['Deployment', 'List', 'customresourcedefinition', '5'].map(kind => ({
    name: `kind ${kind}`,
    reason: 'only a CRD can own a group',
    files: crd(changed(CRD, 'CustomResourceDefinition', kind)),
    want: refused({rule: 'crd-kind', file, line: 2, field: 'kind'}),
  })),
  ...['{}', '[]', 'text', '5', 'spec: {}'].map(text => ({
    name: text,
    reason: 'it is not a Kubernetes object',
    files: crd(`\n${text}\n`),
    want: refused({rule: 'crd-kind', file, line: 2, field: 'kind'}),
  })),
])

describeReadings('the apiVersion of a CRD', [
  ...['v1alpha1', 'v2', 'V1', 'v1 '].map(version => ({
    name: version,
    reason: 'the only API versions are v1beta1 and v1',
    files: crd(changed(CRD, 'apiextensions.k8s.io/v1', `"apiextensions.k8s.io/${version}"`)),
    want: refused({rule: 'crd-api-version', file, line: 1, field: 'apiVersion'}),
  })),
  {
    name: 'of another group',
    reason: 'a kind of another group is another object',
    files: crd(changed(CRD, 'apiextensions.k8s.io/v1', 'example.org/v1')),
    want: refused({rule: 'crd-api-version', file, line: 1, field: 'apiVersion'}),
  },
  {
    name: 'none',
    reason: 'the versions read their fields differently',
    files: crd(changed(CRD, 'apiVersion: apiextensions.k8s.io/v1\n', '')),
    want: refused({rule: 'crd-api-version', file, line: 1, field: 'apiVersion'}),
  },
  {name: 'v1beta1', reason: 'all old packages use it', files: crd(CRD_V1BETA1), want: taken()},
])

describeReadings('a CRD without a required field', [
  ...[
    {without: '  name: widgets.example.org\n', line: 3, field: 'metadata.name'},
    {without: '  group: example.org\n', line: 5, field: 'spec.group'},
    {without: '    kind: Widget\n', line: 7, field: 'spec.names.kind'},
    {without: '    plural: widgets\n', line: 7, field: 'spec.names.plural'},
    {
      without: '  versions:\n  - name: v1\n    served: true\n    storage: true\n',
      line: 5,
      field: 'spec.versions',
    },
  ].map(({without, line, field}) => ({
    name: field,
    reason: 'nothing can be installed without it',
    files: crd(changed(CRD, without, '')),
    want: refused({rule: 'crd-field-missing', file, line, field}),
  })),
  {
    name: 'every required field',
    reason: 'all are reported at once, unless the place has another error',
    files: crd('kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec:\n  names: 5\n'),
    want: refused(
      {rule: 'crd-field-missing', file, line: 1, field: 'metadata.name'},
      {rule: 'crd-field-missing', file, line: 3, field: 'spec.group'},
      {rule: 'crd-field-missing', file, line: 3, field: 'spec.versions'},
      {rule: 'field-type', file, line: 4, field: 'spec.names'},
    ),
  },
  {
    name: 'the name of a version',
    reason: 'roles and records name it',
    files: crd(`${CRD}  - served: true\n    storage: false\n`),
    want: refused({rule: 'crd-field-missing', file, line: 15, field: 'spec.versions[1].name'}),
  },
  {
    name: 'the name of its only version',
    reason: 'a version exists, so versions are not missing',
    files: crd(changed(CRD, '  - name: v1\n    served: true', '  - served: true')),
    want: refused({rule: 'crd-field-missing', file, line: 12, field: 'spec.versions[0].name'}),
  },
  {
    name: 'scope',
    reason: 'API servers default it to Namespaced',
    files: crd(changed(CRD, '  scope: Namespaced\n', '')),
    want: taken(),
  },
])

describeReadings('a CRD that contradicts itself or its package', [
  {
    name: 'a name that differs from plural and group',
    reason: 'API servers reject it',
    files: crd(changed(CRD, 'name: widgets.example.org', 'name: widget.example.org')),
    want: refused({rule: 'crd-name', file, line: 4, field: 'metadata.name'}),
  },
  ...['cluster', 'Global', '[]'].map(scope => ({
    name: `scope ${scope}`,
    reason: 'the only scopes are Cluster and Namespaced',
    files: crd(changed(CRD, 'scope: Namespaced', `scope: ${scope}`)),
    want: refused({
      rule: scope === '[]' ? 'field-type' : 'crd-scope',
      file,
      line: 10,
      field: 'spec.scope',
    }),
  })),
  {
    name: 'Cluster in a Namespaced package',
    reason: 'the package only has permissions in its namespace',
    files: crd(changed(CRD, 'scope: Namespaced', 'scope: Cluster')),
    want: refused({rule: 'crd-cluster-scoped', file, line: 10, field: 'spec.scope'}),
  },
  {
    name: 'Cluster in a Cluster package',
    reason: 'a Cluster package can own Cluster CRDs',
    files: {'app.yaml': CLUSTER_APP, 'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster')},
    want: taken(),
  },
  {
    name: 'a wrong name and a wrong scope',
    reason: 'both are reported at once',
    files: crd(
      changed(changed(CRD, 'plural: widgets', 'plural: gadgets'), 'scope: Namespaced', 'scope: All'),
    ),
    want: refused(
      {rule: 'crd-name', file, line: 4, field: 'metadata.name'},
      {rule: 'crd-scope', file, line: 10, field: 'spec.scope'},
    ),
  },
])

describeReadings('several CRDs', [
  {
    name: 'in one file with nothing between two separators',
    reason: 'an empty document is ignored',
    files: crd(`---\n${CRD}---\n# nothing\n---\n${GADGET}---\n`),
    want: taken(),
  },
  {
    name: 'in one file, the second one invalid',
    reason: 'lines count from the beginning of the file',
    files: crd(`${CRD}---\n${changed(GADGET, 'group: example.org', 'group: []')}`),
    want: refused({rule: 'field-type', file, line: 21, field: 'spec.group'}),
  },
  {
    name: 'the same CRD twice in one file',
    reason: 'the CRD to use is not guessed',
    files: crd(`${CRD}---\n${CRD}---\n${CRD}`),
    want: refused({rule: 'crd-duplicate', file, line: 16}, {rule: 'crd-duplicate', file, line: 31}),
  },
  {
    name: 'the same CRD in two files',
    reason: 'the later one in walk order is reported',
    files: {'app.yaml': APP, 'b.crd.yaml': CRD, 'a/crd.yaml': CRD, 'a.crd.yaml': GADGET},
    want: refused({rule: 'crd-duplicate', file: '.registry/b.crd.yaml', line: 1}),
  },
  {
    name: 'two without a name',
    reason: 'they are not one CRD twice',
    files: crd(
      `${changed(CRD, 'name: widgets.example.org', 'name: []')}---\n${changed(CRD, 'name: widgets.example.org', 'name: {}')}`,
    ),
    want: refused(
      {rule: 'field-type', file, line: 4, field: 'metadata.name'},
      {rule: 'field-type', file, line: 19, field: 'metadata.name'},
    ),
  },
])

describeReadings('types in a CRD', [
  {
    name: 'versions that are not a list',
    reason: 'a rejected value is not also reported as missing',
    files: crd(
      changed(CRD, 'versions:\n  - name: v1\n    served: true\n    storage: true', 'versions:\n    v1: {}'),
    ),
    want: refused({rule: 'field-type', file, line: 11, field: 'spec.versions'}),
  },
  {
    name: 'versions that are not objects',
    reason: 'each is rejected at its own line, and its name is not also reported as missing',
    files: crd(`${CRD}  - v1\n  - ~\n  - name: []\n`),
    want: refused(
      {rule: 'field-type', file, line: 15, field: 'spec.versions[1]'},
      {rule: 'field-type', file, line: 16, field: 'spec.versions[2]'},
      {rule: 'field-type', file, line: 17, field: 'spec.versions[3].name'},
    ),
  },
  {
    name: 'a spec that is not an object',
    reason: 'its fields are not also reported as missing',
    files: crd(`${CRD.slice(0, CRD.indexOf('spec:'))}spec: text\n`),
    want: refused({rule: 'field-type', file, line: 5, field: 'spec'}),
  },
  {
    name: 'deep in a schema',
    reason: 'the field is the full path',
    files: crd(
      `${CRD}    schema:\n      openAPIV3Schema:\n        properties:\n          "a.b":\n            items:\n            - type: {}\n`,
    ),
    want: refused({
      rule: 'field-type',
      file,
      line: 20,
      field: 'spec.versions[0].schema.openAPIV3Schema.properties["a.b"].items[0].type',
    }),
  },
  {
    name: 'unknown fields',
    reason: 'API servers drop them',
    files: crd(`${CRD}    columns: []\n`),
    want: taken({rule: 'unknown-field', file, line: 15, field: 'spec.versions[0].columns'}),
  },
])

describe.each([
  ['v1', CRD],
  ['v1beta1', CRD_V1BETA1],
])('values of a wrong type in a CRD of %s', (version, good) => {
  const type = `apiextensions.${version}.CustomResourceDefinitionSpec`
  const heads = good.slice(0, good.indexOf('metadata:'))

  it.each([...wrongValues(KUBERNETES_TYPES, type, 'convert', ['spec'])])(
    'are rejected in each field of %s',
    (_type, values) => {
      const found = values.map(({name, text}) => ({name, diagnostics: typeDiagnostics(heads + text)}))
      const want = values.map(({name, line, field}) => ({
        name,
        diagnostics: [{rule: 'field-type', file, line: line + 2, field}],
      }))
      expect(found).toEqual(want)
    },
  )

  it.each([...wrongValues(KUBERNETES_TYPES, 'meta.v1.ObjectMeta', 'convert', ['metadata'])])(
    'are rejected in each field of its %s',
    (_type, values) => {
      const found = values.map(({name, text}) => ({name, diagnostics: typeDiagnostics(heads + text)}))
      const want = values.map(({name, line, field}) => ({
        name,
        diagnostics: [{rule: 'field-type', file, line: line + 2, field}],
      }))
      expect(found).toEqual(want)
    },
  )
})

describe('a CRD with additional fields', () => {
  const metadata = `metadata:
  creationTimestamp: null
  generation: 2
  uid: 1-2-3
  annotations:
    number: 5
    fraction: 1.50
    boolean: yes
    nothing:
    text: a
  labels:
    revision: 12
  name: widgets.example.org
`
  const status = 'status:\n  conditions: []\n  storedVersions: [v1]\n'
  const text = changed(CRD, 'metadata:\n  name: widgets.example.org\n', metadata) + status

  it('keeps only the name, the labels and the annotations, as strings, and drops the status', () => {
    const {crds, warnings} = readPackage('example', registryFiles(crd(text)))
    expect({objects: crds.map(({object}) => object), warnings}).toEqual({
      objects: [
        {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: {
            name: 'widgets.example.org',
            labels: {revision: '12'},
            annotations: {number: '5', fraction: '1.5', boolean: 'true', nothing: '', text: 'a'},
          },
          spec: {
            group: 'example.org',
            names: {kind: 'Widget', plural: 'widgets'},
            scope: 'Namespaced',
            versions: [{name: 'v1', served: true, storage: true}],
          },
        },
      ],
      warnings: [],
    })
  })
})

/** Those that are about types: a document of one field lacks others. */
function typeDiagnostics(text: string) {
  const found = reading(crd(text))
  return 'diagnostics' in found ? found.diagnostics.filter(({rule}) => rule === 'field-type') : []
}
