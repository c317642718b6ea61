import {describe, expect, it} from '@jest/globals'
import {PACKAGE_TYPES} from '../../src/unpack/go/package-types.js'
import {
  APP,
  changed,
  describeReadings,
  INSTALL,
  reading,
  refused,
  sentences,
  taken,
} from './malformed-case.js'
import {wrongValues} from './malformed-values.js'

const file = '.registry/install.yaml'
const install = (text: string) => ({'app.yaml': APP, 'install.yaml': text})
const CONTAINERS = 'spec.template.spec.containers'
const withContainers = (value: string) =>
  changed(INSTALL, 'containers:\n      - name: controller\n        image: example/controller', value)

describeReadings('an install.yaml that installs nothing', [
  {name: 'an empty file', reason: 'it counts as absent', files: install(''), want: taken()},
  {
    name: 'comments alone',
    reason: 'they count as absent too',
    files: install('# none\n---\n'),
    want: taken(),
  },
])

describeReadings('an install.yaml of another kind', [
  {
    name: 'a Job',
    reason: 'nothing else runs a controller',
    files: install(changed(INSTALL, 'kind: Deployment', 'kind: Job')),
    want: refused({rule: 'install-kind', file, line: 2, field: 'kind'}),
  },
  {
    name: 'a List',
    reason: 'which of its items was meant is not guessed',
    files: install('apiVersion: v1\nkind: List\nitems: []\n'),
    want: refused({rule: 'install-kind', file, line: 2, field: 'kind'}),
  },
  {
    name: 'no kind',
    reason: 'the fault is where the object begins',
    files: install('# what is it\nspec: {}\n'),
    want: refused({rule: 'install-kind', file, line: 2, field: 'kind'}),
  },
  ...['[]', 'text', '5', '{kind: 5}', '{kind: deployment}'].map(text => ({
    name: text,
    reason: 'it is no Deployment',
    files: install(text),
    want: refused({rule: 'install-kind', file, line: 1, field: 'kind'}),
  })),
  {
    name: 'a Deployment only in the second document',
    reason: 'the first is the one that counts',
    files: install(`kind: Service\n---\n${INSTALL}`),
    want: refused({rule: 'install-kind', file, line: 1, field: 'kind'}),
  },
])

describeReadings('a Deployment without containers', [
  {
    name: 'no spec',
    reason: 'nothing would run',
    files: install('apiVersion: apps/v1\nkind: Deployment\n'),
    want: refused({rule: 'install-containers', file, line: 1, field: CONTAINERS}),
  },
  {
    name: 'spec.helm',
    reason: 'what a real package had dropped out as an unknown field in the original',
    files: install('kind: Deployment\nspec:\n  helm: {}\n'),
    want: refused({rule: 'install-containers', file, line: 2, field: CONTAINERS}),
  },
  ...['containers: []', 'containers:', 'initContainers: [{name: a}]'].map(text => ({
    name: text,
    reason: 'nothing would run',
    files: install(withContainers(text)),
    want: refused({
      rule: 'install-containers',
      file,
      line: text.startsWith('c') ? 6 : 5,
      field: CONTAINERS,
    }),
  })),
  ...['spec: 5', 'spec: []', 'spec: {template: 5}', 'spec: {template: {spec: 5}}'].map(text => ({
    name: text,
    reason: 'what is refused is not also missing',
    files: install(`kind: Deployment\n${text}\n`),
    want: refused({
      rule: 'field-type',
      file,
      line: 2,
      field: ['spec', 'spec.template', 'spec.template.spec'][(text.match(/\{/g) ?? []).length] ?? '',
    }),
  })),
  ...['{name: a}', 'text', '5'].map(value => ({
    name: `containers: ${value}`,
    reason: 'they are a list',
    files: install(withContainers(`containers: ${value}`)),
    want: refused({rule: 'field-type', file, line: 6, field: CONTAINERS}),
  })),
  {
    name: 'nothing in the list',
    reason: 'it is refused, and the list is not empty',
    files: install(withContainers('containers:\n      -\n      - 5')),
    want: refused(
      {rule: 'field-type', file, line: 7, field: `${CONTAINERS}[0]`},
      {rule: 'field-type', file, line: 8, field: `${CONTAINERS}[1]`},
    ),
  },
])

describeReadings('what is odd about a Deployment', [
  {
    name: 'fields that a pod does not have',
    reason: 'Kubernetes drops them, and a person meant something by them',
    files: install(`${INSTALL}        cpu: 1\n      restart: Always\n`),
    want: taken(
      {rule: 'unknown-field', file, line: 9, field: `${CONTAINERS}[0].cpu`},
      {rule: 'unknown-field', file, line: 10, field: 'spec.template.spec.restart'},
    ),
  },
  {
    name: 'further documents',
    reason: 'only the first counts',
    files: install(`---\n---\n${INSTALL}---\nkind: Service\n---\nkind: Service\n`),
    want: taken({rule: 'install-documents', file, line: 12}),
  },
  {
    name: 'a key that is given twice',
    reason: 'the last one counts',
    files: install(`${INSTALL}        image: other\n`),
    want: taken({rule: 'duplicate-key', file, line: 9, field: `${CONTAINERS}[0].image`}),
  },
])

describeReadings('more than one way to run', [
  {
    name: 'two install.yaml',
    reason: 'which of them was meant is not guessed',
    files: {'app.yaml': APP, 'a/install.yaml': INSTALL, 'b/install.yaml': INSTALL},
    want: refused({rule: 'install-duplicate', file: '.registry/b/install.yaml'}),
  },
  {
    name: 'a behavior beside it',
    reason: 'a template stack has a controller of its own',
    files: {...install(INSTALL), 'x/behavior.yaml': 'source: {path: stack}\n'},
    want: refused({rule: 'behavior-and-install', file: '.registry/x/behavior.yaml'}),
  },
  {
    name: 'a behavior beside an empty one',
    reason: 'an empty install.yaml counts as absent',
    files: {...install(''), 'behavior.yaml': 'source: {path: stack}\n'},
    want: taken(),
  },
])

describe('values of a wrong type in a Deployment', () => {
  const wrong = wrongValues(PACKAGE_TYPES, 'apps.v1.DeploymentSpec', 'strict', ['spec'])

  it('are tried in every type of a pod', () => {
    expect([...wrong.keys()]).toEqual(
      expect.arrayContaining(['core.v1.Container', 'core.v1.Affinity', 'core.v1.ResourceFieldSelector']),
    )
    expect(wrong.size).toBeGreaterThan(100)
  })

  it.each([...wrong])('are refused in each field of %s', (_type, values) => {
    const found = values.map(({name, text}) => ({
      name,
      diagnostics: typeDiagnostics(`kind: Deployment\n${text}`),
    }))
    const want = values.map(({name, line, field}) => ({
      name,
      diagnostics: [{rule: 'field-type', file, line: line + 1, field}],
    }))
    expect(found).toEqual(want)
  })

  it('say of a number for an environment variable which one it is and to quote it', () => {
    const env = `${INSTALL}        env:\n        - name: RETRIES\n          value: 5\n`
    expect(reading(install(env))).toEqual(
      refused({rule: 'field-type', file, line: 11, field: `${CONTAINERS}[0].env[0].value`}),
    )
    expect(sentences(install(env))).toEqual([
      `${CONTAINERS}[0].env[0].value must be a string, not the number 5; quote it`,
    ])
  })

  it.each([
    ['cpu: lots', 'cpu'],
    ['memory: 1 Gi', 'memory'],
    ['memory: 1gi', 'memory'],
    ['cpu: true', 'cpu'],
    ['cpu: ""', 'cpu'],
  ])('include %s for a quantity', (limit, resource) => {
    const resources = `        resources:\n          limits:\n            ${limit}\n`
    expect(reading(install(INSTALL + resources))).toEqual(
      refused({rule: 'field-type', file, line: 11, field: `${CONTAINERS}[0].resources.limits.${resource}`}),
    )
  })

  it('are said of init containers too, all at once', () => {
    const init = '      initContainers:\n      - name: 5\n        ports:\n        - containerPort: http\n'
    const at = 'spec.template.spec.initContainers[0]'
    expect(reading(install(INSTALL + init))).toEqual(
      refused(
        {rule: 'field-type', file, line: 10, field: `${at}.name`},
        {rule: 'field-type', file, line: 12, field: `${at}.ports[0].containerPort`},
      ),
    )
  })
})

/** Those that are about types: a document of one field lacks others. */
function typeDiagnostics(text: string) {
  const found = reading(install(text))
  return 'diagnostics' in found ? found.diagnostics.filter(({rule}) => rule === 'field-type') : []
}
