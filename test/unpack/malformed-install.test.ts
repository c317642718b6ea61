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

describeReadings('an install.yaml without content', [
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
    reason: 'only a Deployment runs a controller',
    files: install(changed(INSTALL, 'kind: Deployment', 'kind: Job')),
    want: refused({rule: 'install-kind', file, line: 2, field: 'kind'}),
  },
  {
    name: 'a List',
    reason: 'the item to use is not guessed',
    files: install('apiVersion: v1\nkind: List\nitems: []\n'),
    want: refused({rule: 'install-kind', file, line: 2, field: 'kind'}),
  },
  {
    name: 'no kind',
    reason: 'the error is at the beginning of the object',
    files: install('# what is it\nspec: {}\n'),
    want: refused({rule: 'install-kind', file, line: 2, field: 'kind'}),
  },
  ...['[]', 'text', '5', '{kind: 5}', '{kind: deployment}'].map(text => ({
    name: text,
    reason: 'it is not a Deployment',
    files: install(text),
    want: refused({rule: 'install-kind', file, line: 1, field: 'kind'}),
  })),
  {
    name: 'a Deployment only in the second document',
    reason: 'only the first document counts',
    files: install(`kind: Service\n---\n${INSTALL}`),
    want: refused({rule: 'install-kind', file, line: 1, field: 'kind'}),
  },
])

describeReadings('a Deployment without containers', [
  {
    name: 'no spec',
    reason: 'no container would run',
    files: install('apiVersion: apps/v1\nkind: Deployment\n'),
    want: refused({rule: 'install-containers', file, line: 1, field: CONTAINERS}),
  },
  {
    name: 'spec.helm',
    reason: 'the original dropped this unknown field of a real package',
    files: install('kind: Deployment\nspec:\n  helm: {}\n'),
    want: refused({rule: 'install-containers', file, line: 2, field: CONTAINERS}),
  },
  ...['containers: []', 'containers:', 'initContainers: [{name: a}]'].map(text => ({
    name: text,
    reason: 'no container would run',
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
    reason: 'a rejected value is not also reported as missing',
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
    reason: 'they must be a list',
    files: install(withContainers(`containers: ${value}`)),
    want: refused({rule: 'field-type', file, line: 6, field: CONTAINERS}),
  })),
  {
    name: 'an empty list item',
    reason: 'it is rejected, and the list is not reported as empty',
    files: install(withContainers('containers:\n      -\n      - 5')),
    want: refused(
      {rule: 'field-type', file, line: 7, field: `${CONTAINERS}[0]`},
      {rule: 'field-type', file, line: 8, field: `${CONTAINERS}[1]`},
    ),
  },
])

describeReadings('unusual fields of a Deployment', [
  {
    name: 'unknown fields of a pod',
    reason: 'Kubernetes drops them, so they have no effect',
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

describeReadings('several ways to run a package', [
  {
    name: 'two install.yaml files',
    reason: 'the file to use is not guessed',
    files: {'app.yaml': APP, 'a/install.yaml': INSTALL, 'b/install.yaml': INSTALL},
    want: refused({rule: 'install-duplicate', file: '.registry/b/install.yaml'}),
  },
  {
    name: 'a behavior beside it',
    reason: 'a template stack has a controller of its own',
    files: {...install(INSTALL), 'x/behavior.yaml': 'source: {path: stack}\nengine: {type: helm3}\n'},
    want: refused({rule: 'behavior-and-install', file: '.registry/x/behavior.yaml'}),
  },
  {
    name: 'a behavior beside an empty one',
    reason: 'an empty install.yaml counts as absent',
    files: {...install(''), 'behavior.yaml': 'source: {path: stack}\nengine: {type: helm3}\n'},
    want: taken(),
  },
])

describe('values of a wrong type in a Deployment', () => {
  const wrong = wrongValues(PACKAGE_TYPES, 'apps.v1.DeploymentSpec', 'strict', ['spec'])

  it('are tested in every type of a pod', () => {
    expect([...wrong.keys()]).toEqual(
      expect.arrayContaining(['core.v1.Container', 'core.v1.Affinity', 'core.v1.ResourceFieldSelector']),
    )
    expect(wrong.size).toBeGreaterThan(100)
  })

  it.each([...wrong])('are rejected in each field of %s', (_type, values) => {
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

  it('report the environment variable with a number as its value, and suggest quotes', () => {
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
  ])('do not include %s for a quantity', (limit, resource) => {
    const resources = `        resources:\n          limits:\n            ${limit}\n`
    expect(reading(install(INSTALL + resources))).toEqual(
      refused({rule: 'field-type', file, line: 11, field: `${CONTAINERS}[0].resources.limits.${resource}`}),
    )
  })

  it('are reported for init containers, too, all together', () => {
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
