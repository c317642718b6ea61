import {describe, expect, it} from '@jest/globals'
import {PACKAGE_TYPES} from '../../src/unpack/go/package-types.js'
import {APP, changed, CRD, describeReadings, reading, refused, sentences, taken} from './malformed-case.js'
import {wrongValues} from './malformed-values.js'

const file = '.registry/app.yaml'
const app = (text: string | Uint8Array) => ({'app.yaml': text})
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describeReadings('a package without a readable app.yaml', [
  {
    name: 'no files at all',
    reason: 'app.yaml is the one file',
    files: {},
    want: refused({rule: 'app-missing'}),
  },
  {
    name: 'only other files',
    reason: 'only the exact name app.yaml counts',
    files: {'README.md': '', 'my-app.yaml': APP, 'app.yml': APP, 'app.yaml/x': APP, 'a/crd.yaml': CRD},
    want: refused({rule: 'app-missing'}),
  },
  {
    name: 'an empty file',
    reason: 'it does not describe a package',
    files: app(''),
    want: refused({rule: 'app-empty', file}),
  },
  {
    name: 'comments alone',
    reason: 'comments are not a document',
    files: app('# a package\n---\n# nothing\n---\nnull\n'),
    want: refused({rule: 'app-empty', file}),
  },
  {
    name: 'three app.yaml files',
    reason: 'only the first in walk order is allowed',
    files: {'b/app.yaml': APP, 'a.b/app.yaml': APP, 'a/z/app.yaml': APP},
    want: refused(
      {rule: 'app-duplicate', file: '.registry/a.b/app.yaml'},
      {rule: 'app-duplicate', file: '.registry/b/app.yaml'},
    ),
  },
  {
    name: 'an empty app.yaml and another one',
    reason: 'the file to use is not guessed',
    files: {'a/app.yaml': '', 'b/app.yaml': APP},
    want: refused(
      {rule: 'app-empty', file: '.registry/a/app.yaml'},
      {rule: 'app-duplicate', file: '.registry/b/app.yaml'},
    ),
  },
  ...['- title: x', 'title', '5', 'true', '"{}"'].map(text => ({
    name: `${text} instead of an object`,
    reason: 'the document must be an object',
    files: app(`\n${text}\n`),
    want: refused({rule: 'field-type', file, line: 2}),
  })),
])

describeReadings('an app.yaml that is not a string', [
  {
    name: 'NUL bytes',
    reason: 'YAML does not allow them',
    files: app('title: a\nreadme: \0\n'),
    want: refused({rule: 'yaml-encoding', file, line: 2}),
  },
  {
    name: 'invalid UTF-8',
    reason: 'a partial character is invalid',
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
    reason: 'some editors write it',
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
    name: 'invalid YAML',
    reason: 'YAML does not allow tabs as indentation',
    files: app('title: a\nicons:\n\t- a\n'),
    want: refused({rule: 'yaml-syntax', file, line: 3}),
  },
])

describeReadings('permissionScope', [
  {
    name: 'an unknown scope',
    reason: 'its permissions are not guessed',
    files: app('title: a\npermissionScope: Environment\n'),
    want: refused({rule: 'permission-scope', file, line: 2, field: 'permissionScope'}),
  },
  {
    name: 'in lowercase',
    reason: 'scopes are case-sensitive, and no CRD is reported for it',
    files: {
      ...app('permissionScope: cluster\n'),
      'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
    },
    want: refused({rule: 'permission-scope', file, line: 1, field: 'permissionScope'}),
  },
  {
    name: 'of another type',
    reason: 'it is rejected once, and no CRD is reported for it',
    files: {
      ...app('permissionScope: [Cluster]\n'),
      'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
    },
    want: refused({rule: 'field-type', file, line: 1, field: 'permissionScope'}),
  },
  {
    name: 'of another type under a name in another case',
    reason: 'it is rejected like the field it is read as',
    files: {
      ...app('PermissionScope: [Cluster]\n'),
      'crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
    },
    want: refused({rule: 'field-type', file, line: 1, field: 'PermissionScope'}),
  },
  ...['title: a', 'title: a\npermissionScope:', 'title: a\npermissionScope: ""'].map(text => ({
    name: `not given by ${JSON.stringify(text)}`,
    reason: 'the default is Namespaced, which has fewer permissions',
    files: app(text),
    want: taken({rule: 'permission-scope-missing', file, line: 1}),
  })),
])

describeReadings('dependsOn', [
  {
    name: 'both a crd and a package',
    reason: 'the field to use is not guessed',
    files: app(`${APP}dependsOn:\n- crd: a.example.org\n  package: example/a\n`),
    want: refused({rule: 'depends-on', file, line: 3, field: 'dependsOn[0]'}),
  },
  {
    name: 'neither',
    reason: 'a source alone does not name a dependency',
    files: app(`${APP}dependsOn:\n- crd: a.example.org\n- source: example.org\n- crd: ""\n`),
    want: refused(
      {rule: 'depends-on', file, line: 4, field: 'dependsOn[1]'},
      {rule: 'depends-on', file, line: 5, field: 'dependsOn[2]'},
    ),
  },
  {
    name: 'not a list',
    reason: 'a single dependency must also be a list item',
    files: app(`${APP}dependsOn:\n  crd: a.example.org\n`),
    want: refused({rule: 'field-type', file, line: 2, field: 'dependsOn'}),
  },
  ...['.example.org', '/v1', './x'].map(crd => ({
    name: `nothing before the dot of ${crd}`,
    reason: 'the name of the resource is missing',
    files: app(`${APP}dependsOn:\n- crd: ${crd}\n`),
    want: refused({rule: 'depends-on', file, line: 3, field: 'dependsOn[0]'}),
  })),
  {
    name: 'a number',
    reason: 'a rejected value is not also reported as missing',
    files: app(`${APP}dependsOn:\n- crd: 5\n- 5\n- crd: {}\n  package: example/a\n`),
    want: refused(
      {rule: 'field-type', file, line: 3, field: 'dependsOn[0].crd'},
      {rule: 'field-type', file, line: 4, field: 'dependsOn[1]'},
      {rule: 'field-type', file, line: 5, field: 'dependsOn[2].crd'},
    ),
  },
  {
    name: 'an empty list item',
    reason: 'errors after it have the right lines',
    files: app(`${APP}dependsOn:\n-\n- source: a\n`),
    want: refused(
      {rule: 'field-type', file, line: 3, field: 'dependsOn[0]'},
      {rule: 'depends-on', file, line: 4, field: 'dependsOn[1]'},
    ),
  },
])

describeReadings('unusual fields of app.yaml', [
  {
    name: 'unknown fields',
    reason: 'they are dropped',
    files: app(`${APP}colour: blue\nicons:\n- base64Data: eA==\n  mediatype: image/png\n  size: 5\n`),
    want: taken(
      {rule: 'unknown-field', file, line: 2, field: 'colour'},
      {rule: 'unknown-field', file, line: 6, field: 'icons[0].size'},
    ),
  },
  {
    name: 'fields in another case',
    reason: 'Go reads them, too',
    files: app('Title: a\nPERMISSIONSCOPE: Cluster\nowners:\n- Name: b\n'),
    want: taken(
      {rule: 'field-case', file, line: 1, field: 'Title'},
      {rule: 'field-case', file, line: 2, field: 'PERMISSIONSCOPE'},
      {rule: 'field-case', file, line: 4, field: 'owners[0].Name'},
    ),
  },
  {
    name: 'a field in both cases',
    reason: 'the exact one counts, and the other is reported',
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
    reason: 'only the first counts, and the others are not checked',
    files: app(`---\n# nothing\n---\n${APP}---\ntitle: 5\n---\n- a\n`),
    want: taken({rule: 'app-documents', file, line: 6}),
  },
  {
    name: 'an unknown package type',
    reason: 'it is kept as it is',
    files: app(`${APP}packageType: Gadget\n`),
    want: taken({rule: 'package-type', file, line: 2, field: 'packageType'}),
  },
])

describe('values of a wrong type in app.yaml', () => {
  const wrong = wrongValues(PACKAGE_TYPES, 'App', 'strict', [])

  it('are tested in every type of app.yaml', () => {
    expect([...wrong.keys()].sort()).toEqual(
      ['App', 'Contributor', 'Dependency', 'Icon', 'LocalObjectReference', 'ServiceAccountOptions'].sort(),
    )
  })

  it.each([...wrong])('are rejected in each field of %s', (_type, values) => {
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
  )('of %s: %s report the field and suggest quotes', (field, value) => {
    expect(sentences(app(`${field}: ${value}\n`))).toEqual([
      expect.stringMatching(new RegExp(`^${field} must be a string, .*; quote it$`)),
    ])
  })

  it.each(['2020-01-01', '12:30:45', '"5"', 'v1.0', '~'])('do not include %s for a string', value => {
    expect(reading(app(`${APP}title: ${value}\n`))).toEqual(taken())
  })
})
