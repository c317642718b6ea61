import {describe, expect, it} from '@jest/globals'
import {PACKAGE_TYPES} from '../../src/unpack/go/package-types.js'
import {APP, changed, CRD, describeReadings, reading, refused, sentences, taken} from './malformed-case.js'
import {wrongValues} from './malformed-values.js'

const file = '.registry/app.yaml'
const app = (text: string | Uint8Array) => ({'app.yaml': text})
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describeReadings('a package without an app.yaml to read', [
  {
    name: 'no files at all',
    reason: 'app.yaml is the one file',
    files: {},
    want: refused({rule: 'app-missing'}),
  },
  {
    name: 'only other files',
    reason: 'a name that looks like it is another',
    files: {'README.md': '', 'my-app.yaml': APP, 'app.yml': APP, 'app.yaml/x': APP, 'a/crd.yaml': CRD},
    want: refused({rule: 'app-missing'}),
  },
  {
    name: 'an empty file',
    reason: 'it says nothing about the package',
    files: app(''),
    want: refused({rule: 'app-empty', file}),
  },
  {
    name: 'comments alone',
    reason: 'they are no document',
    files: app('# a package\n---\n# nothing\n---\nnull\n'),
    want: refused({rule: 'app-empty', file}),
  },
  {
    name: 'three of them',
    reason: 'each but the first in walk order is one too many',
    files: {'b/app.yaml': APP, 'a.b/app.yaml': APP, 'a/z/app.yaml': APP},
    want: refused(
      {rule: 'app-duplicate', file: '.registry/a.b/app.yaml'},
      {rule: 'app-duplicate', file: '.registry/b/app.yaml'},
    ),
  },
  {
    name: 'an empty one and another',
    reason: 'which of them was meant is not guessed',
    files: {'a/app.yaml': '', 'b/app.yaml': APP},
    want: refused(
      {rule: 'app-empty', file: '.registry/a/app.yaml'},
      {rule: 'app-duplicate', file: '.registry/b/app.yaml'},
    ),
  },
  ...['- title: x', 'title', '5', 'true', '"{}"'].map(text => ({
    name: `no object but ${text}`,
    reason: 'fields are those of an object',
    files: app(`\n${text}\n`),
    want: refused({rule: 'field-type', file, line: 2}),
  })),
])

describeReadings('an app.yaml that is no text', [
  {
    name: 'NUL bytes',
    reason: 'no reader of YAML takes them',
    files: app('title: a\nreadme: \0\n'),
    want: refused({rule: 'yaml-encoding', file, line: 2}),
  },
  {
    name: 'invalid UTF-8',
    reason: 'half a character is none',
    files: app(Buffer.from([...Buffer.from('title: a\nreadme: '), 0xc3, 0x28])),
    want: refused({rule: 'yaml-encoding', file, line: 2}),
  },
  {
    name: 'UTF-16',
    reason: 'Kubernetes reads UTF-8',
    files: app(utf16(APP)),
    want: refused({rule: 'yaml-encoding', file, line: 1}),
  },
  {
    name: 'UTF-8 with a byte order mark',
    reason: 'editors write one',
    files: app(`\ufeff${APP}`),
    want: taken(),
  },
  {
    name: 'CRLF',
    reason: 'Windows writes it',
    files: app('title: a\r\n\r\npermissionScope: Cluster\r\n'),
    want: taken(),
  },
  {
    name: 'no YAML',
    reason: 'a tab is no indentation',
    files: app('title: a\nicons:\n\t- a\n'),
    want: refused({rule: 'yaml-syntax', file, line: 3}),
  },
])

describeReadings('permissionScope', [
  {
    name: 'another word',
    reason: 'what it permits is not guessed',
    files: app('title: a\npermissionScope: Environment\n'),
    want: refused({rule: 'permission-scope', file, line: 2, field: 'permissionScope'}),
  },
  {
    name: 'in lower case',
    reason: 'it is another word, and no CRD is at fault for it',
    files: {
      ...app('permissionScope: cluster\n'),
      'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
    },
    want: refused({rule: 'permission-scope', file, line: 1, field: 'permissionScope'}),
  },
  {
    name: 'of another type',
    reason: 'it is refused once, and no CRD is at fault for it',
    files: {
      ...app('permissionScope: [Cluster]\n'),
      'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
    },
    want: refused({rule: 'field-type', file, line: 1, field: 'permissionScope'}),
  },
  {
    name: 'of another type under a name in another case',
    reason: 'it is refused as what it is read as',
    files: {
      ...app('PermissionScope: [Cluster]\n'),
      'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
    },
    want: refused({rule: 'field-type', file, line: 1, field: 'PermissionScope'}),
  },
  ...['title: a', 'title: a\npermissionScope:', 'title: a\npermissionScope: ""'].map(text => ({
    name: `not given by ${JSON.stringify(text)}`,
    reason: 'Namespaced is the lesser one',
    files: app(text),
    want: taken({rule: 'permission-scope-missing', file, line: 1}),
  })),
])

describeReadings('dependsOn', [
  {
    name: 'both a crd and a package',
    reason: 'which of them decides is not guessed',
    files: app(`${APP}dependsOn:\n- crd: a.example.org\n  package: example/a\n`),
    want: refused({rule: 'depends-on', file, line: 3, field: 'dependsOn[0]'}),
  },
  {
    name: 'neither',
    reason: 'a source alone names nothing',
    files: app(`${APP}dependsOn:\n- crd: a.example.org\n- source: example.org\n- crd: ""\n`),
    want: refused(
      {rule: 'depends-on', file, line: 4, field: 'dependsOn[1]'},
      {rule: 'depends-on', file, line: 5, field: 'dependsOn[2]'},
    ),
  },
  {
    name: 'no list',
    reason: 'one dependency is a list of one',
    files: app(`${APP}dependsOn:\n  crd: a.example.org\n`),
    want: refused({rule: 'field-type', file, line: 2, field: 'dependsOn'}),
  },
  ...['.example.org', '/v1', './x'].map(crd => ({
    name: `nothing before the dot of ${crd}`,
    reason: 'there is no resource to permit',
    files: app(`${APP}dependsOn:\n- crd: ${crd}\n`),
    want: refused({rule: 'depends-on', file, line: 3, field: 'dependsOn[0]'}),
  })),
  {
    name: 'a number',
    reason: 'what is refused is not also missing',
    files: app(`${APP}dependsOn:\n- crd: 5\n- 5\n- crd: {}\n  package: example/a\n`),
    want: refused(
      {rule: 'field-type', file, line: 3, field: 'dependsOn[0].crd'},
      {rule: 'field-type', file, line: 4, field: 'dependsOn[1]'},
      {rule: 'field-type', file, line: 5, field: 'dependsOn[2].crd'},
    ),
  },
  {
    name: 'nothing in the list',
    reason: 'what follows it is found where it stands',
    files: app(`${APP}dependsOn:\n-\n- source: a\n`),
    want: refused(
      {rule: 'field-type', file, line: 3, field: 'dependsOn[0]'},
      {rule: 'depends-on', file, line: 4, field: 'dependsOn[1]'},
    ),
  },
])

describeReadings('what is odd about app.yaml', [
  {
    name: 'fields that it does not have',
    reason: 'they are kept out',
    files: app(`${APP}colour: blue\nicons:\n- base64Data: eA==\n  mediatype: image/png\n  size: 5\n`),
    want: taken(
      {rule: 'unknown-field', file, line: 2, field: 'colour'},
      {rule: 'unknown-field', file, line: 6, field: 'icons[0].size'},
    ),
  },
  {
    name: 'fields in another case',
    reason: 'Go reads them all the same',
    files: app('Title: a\nPERMISSIONSCOPE: Cluster\nowners:\n- Name: b\n'),
    want: taken(
      {rule: 'field-case', file, line: 1, field: 'Title'},
      {rule: 'field-case', file, line: 2, field: 'PERMISSIONSCOPE'},
      {rule: 'field-case', file, line: 4, field: 'owners[0].Name'},
    ),
  },
  {
    name: 'a field in both cases',
    reason: 'the exact one counts, and the other is not lost in silence',
    files: app('title: a\nTitle: b\npermissionScope: Cluster\n'),
    want: taken({rule: 'field-case', file, line: 2, field: 'Title'}),
  },
  {
    name: 'keys that are given twice',
    reason: 'the last one counts',
    files: app(`title: a\n${APP}title: b\nowners:\n- name: a\n  name: b\n`),
    want: taken(
      {rule: 'duplicate-key', file, line: 3, field: 'title'},
      {rule: 'duplicate-key', file, line: 6, field: 'owners[0].name'},
    ),
  },
  {
    name: 'further documents',
    reason: 'only the first counts, and the others are not even checked',
    files: app(`---\n# nothing\n---\n${APP}---\ntitle: 5\n---\n- a\n`),
    want: taken({rule: 'app-documents', file, line: 6}),
  },
  {
    name: 'a package type that nobody knows',
    reason: 'it is kept as it is',
    files: app(`${APP}packageType: Gadget\n`),
    want: taken({rule: 'package-type', file, line: 2, field: 'packageType'}),
  },
])

describe('values of a wrong type in app.yaml', () => {
  const wrong = wrongValues(PACKAGE_TYPES, 'App', 'strict', [])

  it('are tried in every type that app.yaml is made of', () => {
    expect([...wrong.keys()].sort()).toEqual(
      ['App', 'Contributor', 'Dependency', 'Icon', 'LocalObjectReference', 'ServiceAccountOptions'].sort(),
    )
  })

  it.each([...wrong])('are refused in each field of %s', (_type, values) => {
    const found = values.map(({name, text}) => ({name, reading: reading(app(text))}))
    const want = values.map(({name, line, field}) => ({
      name,
      reading: refused({rule: 'field-type', file, line, field}),
    }))
    expect(found).toEqual(want)
  })

  it.each(
    Object.entries(PACKAGE_TYPES.App ?? {}).flatMap(([field, expression]) =>
      expression.startsWith('string') ? ['1.0', '5', '0x10', 'yes', 'off'].map(value => [field, value]) : [],
    ),
  )('of %s: %s say which field it is and to quote it', (field, value) => {
    expect(sentences(app(`${field}: ${value}\n`))).toEqual([
      expect.stringMatching(new RegExp(`^${field} must be a string, .*; quote it$`)),
    ])
  })

  it.each(['2020-01-01', '12:30:45', '"5"', 'v1.0', '~'])('does not include %s for a text', value => {
    expect(reading(app(`${APP}title: ${value}\n`))).toEqual(taken())
  })
})
