import {describe, expect, it} from '@jest/globals'
import {PACKAGE_TYPES} from '../../src/unpack/go/package-types.js'
import {readPackage} from '../../src/unpack/read-package.js'
import {APP, describeReadings, reading, refused, registryFiles, taken} from './malformed-case.js'
import {wrongValues} from './malformed-values.js'

const file = '.registry/behavior.yaml'
const behavior = (text: string) => ({'app.yaml': APP, 'behavior.yaml': text})
/** The fields, and an engine below them. */
const withEngine = (text: string) => behavior(`${text}engine: {type: helm3}\n`)

describeReadings('a behavior without a source folder', [
  {
    name: 'an empty file',
    reason: 'a template stack requires templates',
    files: behavior(''),
    want: refused({rule: 'behavior-path', file}),
  },
  {
    name: 'comments alone',
    reason: 'comments are not a document',
    files: behavior('# none\n'),
    want: refused({rule: 'behavior-path', file}),
  },
  {
    name: 'no source',
    reason: 'the error is at the beginning of the object',
    files: behavior('\nengine: {type: helm3}\n'),
    want: refused({rule: 'behavior-path', file, line: 2, field: 'source.path'}),
  },
  {
    name: 'no path',
    reason: 'the error is at the nearest existing field',
    files: behavior('engine: {type: helm3}\nsource:\n  image: example/templates\n'),
    want: refused({rule: 'behavior-path', file, line: 2, field: 'source.path'}),
  },
  ...['.', '/', './', '//', 'a/..', '/..', '/a/../..', '""'].map(path => ({
    name: `path ${path}`,
    reason: 'it is the root, which holds more than templates',
    files: withEngine(`source:\n  path: ${path}\n`),
    want: refused({rule: 'behavior-path', file, line: 2, field: 'source.path'}),
  })),
  {
    name: 'invalid YAML',
    reason: 'an unreadable file is not also reported as empty',
    files: behavior('source: {path: stack'),
    want: refused({rule: 'yaml-syntax', file, line: 1}),
  },
])

describe('the path of a behavior', () => {
  it.each([
    ['stack', 'stack'],
    ['./stack/', 'stack'],
    ['/stack//a/./b/../c/', '/stack/a/c'],
    // As in the original, which cleaned the path and looked no further.
    ['..', '..'],
    ['../stack', '../stack'],
    ['a/../../b', '../b'],
    ['5', '5'],
  ])('%s is read as %s', (written, want) => {
    const files = registryFiles(withEngine(`source: {path: ${written}}\n`))
    expect(readPackage('example', files).behavior?.source).toEqual({path: want})
  })
})

describeReadings('the engine of a behavior', [
  {
    name: 'a kustomization without kind',
    reason: 'kustomize would read it as another one',
    files: behavior(
      'source: {path: a}\nengine:\n  type: kustomize\n  kustomize:\n    kustomization:\n      resources: [a]\n',
    ),
    want: refused({rule: 'behavior-kustomization', file, line: 5, field: 'engine.kustomize.kustomization'}),
  },
  ...['text', '5', '[]', '{kind: 5}', '{kind: ""}'].map(value => ({
    name: `a kustomization of ${value}`,
    reason: 'it has no kind',
    files: behavior(`source: {path: a}\nengine: {type: kustomize, kustomize: {kustomization: ${value}}}\n`),
    want: refused({rule: 'behavior-kustomization', file, line: 2, field: 'engine.kustomize.kustomization'}),
  })),
  {
    name: 'no kustomization',
    reason: 'an engine does not require one',
    files: behavior('source: {path: a}\nengine: {type: helm3, kustomize: {kustomization: }}\n'),
    want: taken(),
  },
  ...['gotemplate', 'kustomize'].map(type => ({
    name: `the engine ${type}`,
    reason: 'it is one of the engines',
    files: behavior(`source: {path: a}\nengine: {type: ${type}}\n`),
    want: taken(),
  })),
  ...['helm2', 'helm', 'Helm3', '""', '5'].map(type => ({
    name: `the engine ${type}`,
    reason: 'no controller runs it',
    files: behavior(`source: {path: a}\nengine: {type: ${type}}\n`),
    want: refused({rule: 'behavior-engine', file, line: 2, field: 'engine.type'}),
  })),
  {
    name: 'no engine',
    reason: 'a controller cannot run it',
    files: behavior('source: {path: a}\n'),
    want: refused({rule: 'behavior-engine', file, line: 1, field: 'engine.type'}),
  },
])

describeReadings('unusual fields of a behavior', [
  {
    name: 'two behavior.yaml files',
    reason: 'the file to use is not guessed',
    files: {...withEngine('source: {path: a}\n'), 'z/behavior.yaml': 'source: {path: b}'},
    want: refused({rule: 'behavior-duplicate', file: '.registry/z/behavior.yaml'}),
  },
  {
    name: 'further documents',
    reason: 'only the first counts',
    files: behavior('source: {path: a}\nengine: {type: helm3}\n---\nsource: {path: b}\n'),
    want: taken({rule: 'behavior-documents', file, line: 4}),
  },
  {
    name: 'unknown fields, or fields in another case',
    reason: 'as in app.yaml',
    files: withEngine('Source: {path: a}\nschedule: daily\n'),
    want: taken(
      {rule: 'field-case', file, line: 1, field: 'Source'},
      {rule: 'unknown-field', file, line: 2, field: 'schedule'},
    ),
  },
  {
    name: 'a list',
    reason: 'a rejected value is not also reported as missing',
    files: behavior('- source\n'),
    want: refused({rule: 'field-type', file, line: 1}),
  },
  {
    name: 'parts of another type',
    reason: 'each is rejected once',
    files: behavior('source:\n  path: [a]\nengine: 5\ncrd: []\n'),
    want: refused(
      {rule: 'field-type', file, line: 2, field: 'source.path'},
      {rule: 'field-type', file, line: 3, field: 'engine'},
      {rule: 'field-type', file, line: 4, field: 'crd'},
    ),
  },
])

describe('values of a wrong type in a behavior', () => {
  it.each([...wrongValues(PACKAGE_TYPES, 'Behavior', 'convert', [])])(
    'are rejected in each field of %s',
    (_type, values) => {
      const found = values.map(({name, text}) => ({name, diagnostics: typeDiagnostics(text)}))
      const want = values.map(({name, line, field}) => ({
        name,
        diagnostics: [{rule: 'field-type', file, line, field}],
      }))
      expect(found).toEqual(want)
    },
  )
})

/** Those that are about types: a document of one field lacks others. */
function typeDiagnostics(text: string) {
  const found = reading(behavior(text))
  return 'diagnostics' in found ? found.diagnostics.filter(({rule}) => rule === 'field-type') : []
}
