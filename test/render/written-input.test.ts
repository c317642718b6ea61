import {describe, expect, it} from '@jest/globals'
import type {Diagnostic} from '../../src/diagnostic.js'
import {CrossplaneError} from '../../src/errors.js'
import {ERAS} from '../../src/render/era.js'
import {readWrittenInput, type WrittenInput} from '../../src/render/written-input.js'

const {packages, stacks} = ERAS
const files = (...texts: readonly string[]) =>
  texts.map((text, index) => ({name: `${index + 1}.yaml`, bytes: Buffer.from(text)}))

/** What was read, or code and places of the faults. */
function reading(
  ...texts: readonly string[]
): WrittenInput | {code: string; diagnostics: Omit<Diagnostic, 'severity' | 'message'>[]} {
  try {
    return readWrittenInput(files(...texts))
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {
      code: error.code,
      diagnostics: error.diagnostics.map(({message: _message, severity: _severity, ...place}) => place),
    }
  }
}

const REQUEST = `apiVersion: packages.crossplane.io/v1alpha1
kind: ClusterPackageInstall
metadata:
  name: gcp
  namespace: crossplane-system
spec:
  package: crossplane/provider-gcp:v0.11.0
`
const request = {
  name: 'gcp',
  namespace: 'crossplane-system',
  scope: 'Cluster',
  package: 'crossplane/provider-gcp:v0.11.0',
  imagePullSecrets: [],
  serviceAccountAnnotations: {},
}
const nothing = {requests: [], records: [], crds: [], warnings: []}

describe('requests', () => {
  it('of a package for the whole cluster', () => {
    expect(reading(REQUEST)).toEqual({...nothing, requests: [{era: packages, request}]})
  })

  it('of a CRD, with every parameter and no namespace', () => {
    const text = `apiVersion: stacks.crossplane.io/v1alpha1
kind: StackInstall
metadata: {name: widgets, labels: {a: b}}
spec:
  crd: widgets.example.org/v1
  source: registry.example.org
  imagePullPolicy: IfNotPresent
  imagePullSecrets: [{name: a}, {name: b}]
  serviceAccount: {annotations: {example.org/role: reader}}
`
    expect(reading(text)).toEqual({
      ...nothing,
      requests: [
        {
          era: stacks,
          request: {
            name: 'widgets',
            namespace: '',
            scope: 'Namespaced',
            crd: 'widgets.example.org/v1',
            source: 'registry.example.org',
            imagePullPolicy: 'IfNotPresent',
            imagePullSecrets: ['a', 'b'],
            serviceAccountAnnotations: {'example.org/role': 'reader'},
            labels: {a: 'b'},
          },
        },
      ],
    })
  })

  it('of several files, documents and lists are read in order', () => {
    const named = (name: string) => REQUEST.replace('name: gcp', `name: ${name}`)
    const item = `- ${named('c').trim().replaceAll('\n', '\n  ')}`
    const list = `apiVersion: v1\nkind: List\nitems:\n${item}\n`
    const read = reading(
      `${named('a')}---\n---\n${named('b')}`,
      '# nothing\n',
      list,
      `kind: List\nitems: []\n`,
    )
    expect(read).toEqual({
      ...nothing,
      requests: ['a', 'b', 'c'].map(name => ({era: packages, request: {...request, name}})),
    })
  })
})

describe('records', () => {
  it.each([
    {era: packages, group: 'packages', kind: 'Package'},
    {era: stacks, group: 'stacks', kind: 'Stack'},
  ])('of a package are read by the types of their fields: $kind', ({era, group, kind}) => {
    const text = `apiVersion: ${group}.crossplane.io/v1alpha1
kind: ${kind}
metadata:
  name: widgets
  namespace: team-a
  annotations: {a: b}
  creationTimestamp: null
spec:
  title: Widgets
  version: v1
  controller:
    deployment:
      spec:
        template: {spec: {containers: [{name: a, resources: {limits: {cpu: 0.5}}}]}}
status: {conditions: []}
`
    expect(reading(text)).toEqual({
      ...nothing,
      records: [
        {
          era,
          file: '1.yaml',
          record: {
            apiVersion: `${group}.crossplane.io/v1alpha1`,
            kind,
            metadata: {name: 'widgets', namespace: 'team-a', annotations: {a: 'b'}},
            spec: {
              title: 'Widgets',
              version: 'v1',
              controller: {
                deployment: {
                  name: '',
                  spec: {
                    strategy: {},
                    template: {
                      metadata: {},
                      spec: {containers: [{name: 'a', resources: {limits: {cpu: '500m'}}}]},
                    },
                  },
                },
              },
              permissions: {},
            },
          },
        },
      ],
    })
  })

  it('of a template stack keep their behavior', () => {
    const text = `apiVersion: packages.crossplane.io/v1alpha1
kind: StackDefinition
metadata: {name: blog}
spec:
  behavior:
    crd: {apiVersion: example.org/v1, kind: Blog}
    engine: {type: helm3}
    source: {path: blog}
`
    expect(reading(text)).toEqual({
      ...nothing,
      records: [
        {
          era: packages,
          file: '1.yaml',
          record: {
            apiVersion: 'packages.crossplane.io/v1alpha1',
            kind: 'StackDefinition',
            metadata: {name: 'blog'},
            spec: {
              controller: {},
              permissions: {},
              behavior: {
                crd: {apiVersion: 'example.org/v1', kind: 'Blog'},
                engine: {type: 'helm3'},
                source: {path: 'blog'},
              },
            },
          },
        },
      ],
    })
  })
})

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
spec:
  group: example.org
  names: {kind: Widget, plural: widgets}
  scope: Cluster
  versions: [{name: v1, served: true, storage: true}]
`
const crd = {
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.example.org'},
    spec: {
      group: 'example.org',
      names: {kind: 'Widget', plural: 'widgets'},
      scope: 'Cluster',
      versions: [{name: 'v1', served: true, storage: true}],
    },
  },
  definition: {
    name: 'widgets.example.org',
    group: 'example.org',
    kind: 'Widget',
    plural: 'widgets',
    version: 'v1',
    versions: ['v1'],
    subresources: {status: false, scale: false},
  },
}

describe('CRDs', () => {
  it('are read as documents and as items of a list', () => {
    const list = `kind: List\nitems:\n- ${CRD.trim().replaceAll('\n', '\n  ')}\n`
    expect([reading(CRD), reading(list)]).toEqual([
      {...nothing, crds: [crd]},
      {...nothing, crds: [crd]},
    ])
  })
})

describe('an object other than a request, record or CRD', () => {
  const kindAt = (file: string, line: number) => ({rule: 'input-kind', file, line})

  it.each([
    {name: 'another kind', text: 'apiVersion: v1\nkind: Secret\n'},
    {name: 'a kind of packages in no era', text: 'apiVersion: pkg.crossplane.io/v1\nkind: Provider\n'},
    {
      name: 'a request in another era',
      text: 'apiVersion: stacks.crossplane.io/v1alpha1\nkind: PackageInstall\n',
    },
    {name: 'a version that no era had', text: 'apiVersion: packages.crossplane.io/v1\nkind: Package\n'},
    {name: 'no kind', text: 'apiVersion: v1\n'},
    {name: 'no apiVersion', text: 'kind: Package\n'},
    {name: 'a list', text: '- kind: Package\n'},
    {name: 'a text', text: 'text'},
    {name: 'a List that holds none', text: 'kind: List\nitems: {}\n'},
  ])('is rejected: $name', ({text}) => {
    expect(reading(text)).toEqual({code: 'input-invalid', diagnostics: [kindAt('1.yaml', 1)]})
  })

  it('is rejected within a list, with its path', () => {
    const text = 'kind: List\nitems:\n- text\n- apiVersion: v1\n  kind: Secret\n'
    expect(reading(text)).toEqual({
      code: 'input-invalid',
      diagnostics: [
        {...kindAt('1.yaml', 3), field: 'items[0]'},
        {...kindAt('1.yaml', 4), field: 'items[1]'},
      ],
    })
  })
})

describe('an error in a file', () => {
  it('is reported together with those of other files', () => {
    const nameless = REQUEST.replace('name: gcp', 'labels: {}')
    const wrong = REQUEST.replace('package: crossplane/provider-gcp:v0.11.0', 'package: 5\n  crd: a')
    const neither = REQUEST.replace('package: crossplane/provider-gcp:v0.11.0', 'source: a').replace(
      'name: gcp',
      'name: neither',
    )
    const both = `${REQUEST}  crd: a.example.org\n  imagePullPolicy: Sometimes\n`.replace(
      'name: gcp',
      'name: both',
    )
    expect(
      reading(nameless, wrong, 'a: [', neither, both, CRD.replace('group: example.org', 'group: {}')),
    ).toEqual({
      code: 'input-invalid',
      diagnostics: [
        {rule: 'input-name', file: '1.yaml', line: 3, field: 'metadata.name'},
        {rule: 'field-type', file: '2.yaml', line: 7, field: 'spec.package'},
        {rule: 'yaml-syntax', file: '3.yaml', line: 1},
        {rule: 'input-request', file: '4.yaml', line: 6, field: 'spec'},
        {rule: 'input-pull-policy', file: '5.yaml', line: 9, field: 'spec.imagePullPolicy'},
        {rule: 'input-request', file: '5.yaml', line: 6, field: 'spec'},
        {rule: 'field-type', file: '6.yaml', line: 6, field: 'spec.group'},
      ],
    })
  })

  it('is reported with the field within a list', () => {
    const item = REQUEST.replace('package: crossplane/provider-gcp:v0.11.0', 'crd: 5\n  package: a')
    const list = `kind: List\nitems:\n- ${item.trim().replaceAll('\n', '\n  ')}\n`
    expect(reading(list)).toEqual({
      code: 'input-invalid',
      diagnostics: [{rule: 'field-type', file: '1.yaml', line: 9, field: 'items[0].spec.crd'}],
    })
  })

  it('of a record is reported with its type', () => {
    const text = `apiVersion: packages.crossplane.io/v1alpha1
kind: Package
metadata: {name: a}
spec:
  version: 1.0
  permissions:
    rules: {}
`
    expect(reading(text)).toEqual({
      code: 'input-invalid',
      diagnostics: [
        {rule: 'field-type', file: '1.yaml', line: 5, field: 'spec.version'},
        {rule: 'field-type', file: '1.yaml', line: 7, field: 'spec.permissions.rules'},
      ],
    })
  })
})

describe('an unusual field in a file', () => {
  it('is a warning', () => {
    const read = reading(`${REQUEST}  colour: blue\n  Source: a\n`)
    expect('warnings' in read && read.warnings.map(({rule, file, line}) => ({rule, file, line}))).toEqual([
      {rule: 'unknown-field', file: '1.yaml', line: 8},
      {rule: 'field-case', file: '1.yaml', line: 9},
    ])
  })
})

describe('an object that no cluster accepts', () => {
  const record = (spec: string, kind = 'Package', metadata = '{name: a, namespace: b}') =>
    `apiVersion: packages.crossplane.io/v1alpha1\nkind: ${kind}\nmetadata: ${metadata}\nspec: ${spec}\n`
  const behavior = '{crd: {apiVersion: a/v1, kind: B}, engine: {type: x}, source: {path: p}}'
  const deployment = '{controller: {deployment: {name: "", spec: {template: {spec: {containers: []}}}}}}'

  it.each([
    {name: 'a bad name', in: record('{}', 'Package', '{name: Bad_Name}'), want: ['input-name metadata.name']},
    {
      name: 'a namespace that leaves its place',
      in: record('{}', 'Package', '{name: a, namespace: team/../x}'),
      want: ['input-namespace metadata.namespace'],
    },
    {
      name: 'a version that roles cannot hold',
      in: record('{version: 1/2 %}'),
      want: ['input-record spec.version'],
    },
    {
      name: 'an unknown scope',
      in: record('{permissionScope: weird}'),
      want: ['input-record spec.permissionScope'],
    },
    {name: 'no containers', in: record(deployment), want: ['input-record spec.controller.deployment.spec']},
    {name: 'no behavior', in: record('{}', 'StackDefinition'), want: ['input-record spec.behavior']},
    {
      name: 'half a behavior',
      in: record('{behavior: {source: {path: p}}}', 'StackDefinition'),
      want: ['crd.apiVersion', 'crd.kind', 'engine.type'].map(field => `input-record spec.behavior.${field}`),
    },
    {name: 'a whole behavior', in: record(`{behavior: ${behavior}}`, 'StackDefinition'), want: []},
    {name: 'the same object twice', in: `${REQUEST}---\n${REQUEST}`, want: ['input-duplicate ']},
    {name: 'a bad source', in: `${REQUEST}  source: http://r.io\n`, want: ['input-request spec.source']},
    {
      name: 'a secret without a name',
      in: `${REQUEST}  imagePullSecrets: [{}]\n`,
      want: ['input-request spec.imagePullSecrets[0].name'],
    },
    {
      name: 'a bad annotation key',
      in: `${REQUEST}  serviceAccount: {annotations: {b d: x}}\n`,
      want: ['input-request spec.serviceAccount.annotations["b d"]'],
    },
    {
      name: 'a package that is a path',
      in: REQUEST.replace('crossplane/provider-gcp:v0.11.0', './dir'),
      want: ['input-request spec.package'],
    },
  ])('$name', ({in: text, want}) => {
    const read = reading(text)
    const diagnostics = 'diagnostics' in read ? read.diagnostics : []
    expect(diagnostics.map(({rule, field = ''}) => `${rule} ${field}`)).toEqual(want)
  })
})
