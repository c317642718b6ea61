import {describe, expect, it} from '@jest/globals'
import {
  APP,
  changed,
  CLUSTER_APP,
  CRD,
  describeReadings,
  INSTALL,
  reading,
  refused,
  sentences,
  taken,
} from './malformed-case.js'

const BOMB = `a: &a [${'x,'.repeat(99)}]\n${Array.from(
  {length: 5},
  (_, i) => `${'bcdef'[i]}: &${'bcdef'[i]} [${`*${'abcde'[i]},`.repeat(99)}]\n`,
).join('')}`
const CYCLE = 'a: 1\nb: &b\n  c: *b\n'
const DEEP = `a: 1\nb: ${'['.repeat(5000)}${']'.repeat(5000)}\n`

describeReadings(
  'hostile YAML',
  ['app.yaml', 'install.yaml', 'behavior.yaml', 'crd.yaml', 'group.yaml', 'resource.yaml'].flatMap(name => {
    const file = `.registry/${name}`
    const files = (text: string) => (name === 'app.yaml' ? {[name]: text} : {'app.yaml': APP, [name]: text})
    return [
      {
        name: `aliases that multiply in ${name}`,
        reason: 'no package holds a million values',
        files: files(BOMB),
        want: refused({rule: 'yaml-limit', file, line: 3}),
      },
      {
        name: `an alias within itself in ${name}`,
        reason: 'it is infinite',
        files: files(CYCLE),
        want: refused({rule: 'yaml-alias-cycle', file, line: 3}),
      },
      {
        name: `values within values in ${name}`,
        reason: 'no package is nested as deep',
        files: files(DEEP),
        want: refused({rule: 'yaml-limit', file, line: 2}),
      },
    ]
  }),
)

describeReadings('a ui-schema that is hostile to its reader', [
  ...[
    {name: 'aliases that multiply', text: BOMB, line: 3},
    {name: 'an alias within itself', text: CYCLE, line: 3},
    {name: 'values within values', text: DEEP, line: 2},
  ].map(({name, text, line}) => ({
    name,
    reason: 'it is text like any other',
    files: {'app.yaml': APP, 'ui-schema.yaml': text},
    want: taken({rule: 'ui-schema-syntax', file: '.registry/ui-schema.yaml', line}),
  })),
])

describeReadings('a package with many errors', [
  {
    name: 'in many files',
    reason: 'all are reported at once, in the order of a sorted walk and of lines',
    files: {
      'z/behavior.yaml': 'source: {path: "."}\nengine: {type: helm3}\n',
      'install.yaml': changed(INSTALL, 'name: controller', 'name: 5'),
      'a/b/crd.yaml': changed(CRD, 'group: example.org', 'group: []'),
      'a.b/crd.yaml': `${changed(CRD, 'kind: Widget', 'kind: ""')}---\nkind: Service\n`,
      'a/group.yaml': 'category: []\n',
      'a/widget.resource.yaml': 'title: a\nid: {}\n',
      'a/ui-schema.yaml': new Uint8Array([0xff]),
      'app.yaml': 'version: 1.0\npermissionScope: All\ndependsOn: [{}]\ntitle: [a]\n',
      'b/app.yaml': '',
    },
    want: refused(
      {rule: 'field-type', file: '.registry/a/b/crd.yaml', line: 6, field: 'spec.group'},
      {rule: 'field-type', file: '.registry/a/group.yaml', line: 1, field: 'category'},
      {rule: 'ui-schema-encoding', file: '.registry/a/ui-schema.yaml'},
      {rule: 'field-type', file: '.registry/a/widget.resource.yaml', line: 2, field: 'id'},
      {rule: 'crd-field-missing', file: '.registry/a.b/crd.yaml', line: 8, field: 'spec.names.kind'},
      {rule: 'crd-kind', file: '.registry/a.b/crd.yaml', line: 16, field: 'kind'},
      {rule: 'field-type', file: '.registry/app.yaml', line: 1, field: 'version'},
      {rule: 'permission-scope', file: '.registry/app.yaml', line: 2, field: 'permissionScope'},
      {rule: 'depends-on', file: '.registry/app.yaml', line: 3, field: 'dependsOn[0]'},
      {rule: 'field-type', file: '.registry/app.yaml', line: 4, field: 'title'},
      {rule: 'app-duplicate', file: '.registry/b/app.yaml'},
      {
        rule: 'field-type',
        file: '.registry/install.yaml',
        line: 7,
        field: 'spec.template.spec.containers[0].name',
      },
      {rule: 'behavior-and-install', file: '.registry/z/behavior.yaml'},
      {rule: 'behavior-path', file: '.registry/z/behavior.yaml', line: 1, field: 'source.path'},
    ),
  },
  {
    name: 'and no app.yaml',
    reason: 'errors without a file come first, and no CRD is reported for the missing scope',
    files: {
      'a/crd.yaml': changed(CRD, 'scope: Namespaced', 'scope: Cluster'),
      'b/crd.yaml': 'kind: Service\n',
    },
    want: refused(
      {rule: 'app-missing'},
      {rule: 'crd-kind', file: '.registry/b/crd.yaml', line: 1, field: 'kind'},
    ),
  },
  {
    name: 'only warnings',
    reason: 'warnings come in the same order',
    files: {
      'crd.yaml': '',
      'app.yaml': 'b: 1\ntitle: a\n',
      'a/icon.bmp': '',
      'z/install.yaml': `${INSTALL}---\n5\n`,
    },
    want: taken(
      {rule: 'icon-type', file: '.registry/a/icon.bmp'},
      {rule: 'unknown-field', file: '.registry/app.yaml', line: 1, field: 'b'},
      {rule: 'permission-scope-missing', file: '.registry/app.yaml', line: 1},
      {rule: 'crd-empty', file: '.registry/crd.yaml'},
      {rule: 'install-documents', file: '.registry/z/install.yaml', line: 10},
    ),
  },
])

describe('a package with more than a thousand errors', () => {
  const fields = (value: string) => Array.from({length: 3000}, (_, index) => `- crd: ${value}${index}`)

  it('has the first thousand, and a note that there are more', () => {
    const text = `${APP}dependsOn:\n${fields('.x').join('\n')}\n`
    const diagnostics = Array.from({length: 1000}, (_, index) => ({
      rule: 'depends-on',
      file: '.registry/app.yaml',
      line: index + 3,
      field: `dependsOn[${index}]`,
    }))
    expect(reading({'app.yaml': text})).toEqual(
      refused({rule: 'too-many', file: '.registry/app.yaml'}, ...diagnostics),
    )
  })

  it('is rejected for an error after 3,000 warnings', () => {
    const unknown = Array.from({length: 3000}, (_, index) => `field${index}: 1\n`).join('')
    expect(reading({'app.yaml': `${unknown}${CLUSTER_APP}title: 5\n`})).toEqual(
      refused({rule: 'field-type', file: '.registry/app.yaml', line: 3002, field: 'title'}),
    )
  })
})

// A reader that looks at every other file or line for each one would take minutes.
describe('a large package', () => {
  it('of many CRDs in one file, each with a warning, is read quickly', () => {
    const one = changed(CRD, 'spec:\n', 'spec:\n  colour: blue\n').replaceAll('idget', 'idget#')
    const text = Array.from({length: 2000}, (_, index) => one.replaceAll('#', String(index))).join('---\n')
    const found = reading({'app.yaml': APP, 'crd.yaml': text})
    expect('warnings' in found && found.warnings.length).toBe(1001)
    expect('warnings' in found && found.warnings.at(-1)).toEqual({
      rule: 'unknown-field',
      file: '.registry/crd.yaml',
      line: 999 * 16 + 6,
      field: 'spec.colour',
    })
  })

  it('of many CRDs and as many icons in one folder is read quickly', () => {
    const files = Array.from({length: 4000}, (_, index) => [
      [`a/b/${index}.crd.yaml`, CRD.replaceAll('idget', `idget${index}`)],
      [`a/b/widget${index}.icon.svg`, ''],
    ]).flat()
    expect(reading({'app.yaml': APP, ...(Object.fromEntries(files) as Record<string, string>)})).toEqual(
      taken(),
    )
  })
})

describe('the error of a malformed package', () => {
  it('has a sentence for each error that names its field', () => {
    expect(sentences({'app.yaml': `${APP}version: 1.0\nowners: [{name: 5}]\n`})).toEqual([
      'version must be a string, not the number 1; quote it',
      'owners[0].name must be a string, not the number 5; quote it',
    ])
  })
})
