import {describe, expect, it} from '@jest/globals'
import {PACKAGE_TYPES} from '../../src/unpack/go/package-types.js'
import {readPackage} from '../../src/unpack/read-package.js'
import {APP, CRD, describeReadings, reading, refused, registryFiles, taken} from './malformed-case.js'
import {wrongValues} from './malformed-values.js'

const base = {'app.yaml': APP, 'crd.yaml': CRD}

describe.each([
  {type: 'Group', name: 'group.yaml'},
  {type: 'Resource', name: 'widget.resource.yaml'},
])('$name', ({type, name}) => {
  const file = `.registry/${name}`

  it.each([...wrongValues(PACKAGE_TYPES, type, 'convert', [])])(
    'is rejected with a value of a wrong type in any field of %s',
    (_type, values) => {
      const found = values.map(value => ({name: value.name, reading: reading({...base, [name]: value.text})}))
      const want = values.map(({name: what, line, field}) => ({
        name: what,
        reading: refused({rule: 'field-type', file, line, field}),
      }))
      expect(found).toEqual(want)
    },
  )

  it.each([
    {name: 'a list', text: '\n- title: a\n', want: refused({rule: 'field-type', file, line: 2})},
    {name: 'a text', text: 'title', want: refused({rule: 'field-type', file, line: 1})},
    {name: 'nothing', text: '', want: taken()},
    {name: 'invalid YAML', text: 'title: "a', want: refused({rule: 'yaml-syntax', file, line: 1})},
    {
      name: 'NUL bytes',
      text: 'title: a\n\0',
      want: refused({rule: 'yaml-encoding', file, line: 2}),
    },
    {
      name: 'unknown fields',
      text: 'Title: a\ncolour: blue\n',
      want: taken(
        {rule: 'field-case', file, line: 1, field: 'Title'},
        {rule: 'unknown-field', file, line: 2, field: 'colour'},
      ),
    },
    {
      name: 'a key twice',
      text: 'title: a\ntitle: b\n',
      want: taken({rule: 'duplicate-key', file, line: 2, field: 'title'}),
    },
    {
      name: 'further documents',
      text: '---\ntitle: a\n---\ntitle: b\n',
      want: taken({rule: 'metadata-documents', file, line: 4}),
    },
    {name: 'numbers and booleans for texts', text: 'title: 5\ncategory: yes\n', want: taken()},
  ])('limits $name', ({text, want}) => {
    expect(reading({...base, [name]: text})).toEqual(want)
  })
})

describeReadings('icons', [
  ...[
    'icon.bmp',
    'icon.svg.bak',
    'icon.',
    'widget.icon.webp',
    'lexicon.txt',
    'icon.constructor',
    'icon.__proto__',
  ].map(name => ({
    name,
    reason: 'dashboards show svg, png, jpg and gif',
    files: {...base, [`a/${name}`]: 'bytes'},
    want: taken({rule: 'icon-type', file: `.registry/a/${name}`}),
  })),
  {
    name: 'of no bytes',
    reason: 'the content of an icon is not checked',
    files: {...base, 'icon.png': '', 'icon.SVG': new Uint8Array([0, 255])},
    want: taken(),
  },
])

describeReadings('ui-schemas', [
  {
    name: 'invalid UTF-8',
    reason: 'an annotation must be text',
    files: {...base, 'ui-schema.yaml': new Uint8Array([0x61, 0xff])},
    want: refused({rule: 'ui-schema-encoding', file: '.registry/ui-schema.yaml'}),
  },
  {
    name: 'UTF-16',
    reason: 'it is not UTF-8',
    files: {...base, 'widget.ui-schema.yaml': Buffer.from('\ufeffa: 1', 'utf16le')},
    want: refused({rule: 'ui-schema-encoding', file: '.registry/widget.ui-schema.yaml'}),
  },
  {
    name: 'invalid YAML',
    reason: 'a real package has such a file, and it is copied',
    files: {...base, 'ui-schema.yaml': 'a: 1\n\tb: 2\n'},
    want: taken({rule: 'ui-schema-syntax', file: '.registry/ui-schema.yaml', line: 2}),
  },
  {
    name: 'several documents, none of them known fields',
    reason: 'other programs read it',
    files: {...base, 'ui-schema.yaml': '- a\n---\nb: 1\n---\n5\n'},
    want: taken(),
  },
])

describe('a ui-schema', () => {
  it.each([
    ['\n\n a: 1\n\n', ' a: 1'],
    ['\n', ''],
    ['', ''],
    ['not: "yaml', 'not: "yaml'],
    ['\ufeffa\r\n', '\ufeffa\r'],
  ])('%j is copied as %j', (text, want) => {
    const {crds} = readPackage('example', registryFiles({...base, 'ui-schema.yaml': text}))
    expect(crds.map(({metadata}) => metadata.uiSchemas)).toEqual([[want]])
  })
})
