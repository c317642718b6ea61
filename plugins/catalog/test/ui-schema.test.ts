import {describe, expect, it} from '@jest/globals'
import {corpusText, corpusYaml} from '../../../test/corpus.js'
import {readUiSchemas, unfollowed} from '../src/ui-schema.js'

describe('the ui-schema of a kind', () => {
  it('has titles, order, values and a first value for fields', () => {
    const text = `version: 0.5
configSections:
- title: Size
  items:
  - {name: a, controlType: singleSelect, path: .spec.size, title: Size, description: How large., default: [small], enum: [small, large], validation: [{required: true}]}
  - {name: b, path: .spec.name}
`
    expect(readUiSchemas([text])).toEqual({
      hints: [
        {
          ...{path: 'spec.size', title: 'Size', help: 'How large.', section: 'Size', first: 'small'},
          ...{values: ['small', 'large'], isRequired: true},
        },
        {path: 'spec.name', title: '', help: '', section: 'Size', isRequired: false},
      ],
      unread: [],
    })
  })

  it('names what the form does not follow', () => {
    const text = `initialConfig: true
printerColumns: []
configSections: [{title: A, color: red, items: [{path: '.spec[0]', controlType: map, validation: [{minimum: 1}]}]}]
`
    expect(readUiSchemas([text, 'a: [', '- 1']).unread).toEqual([
      'initialConfig',
      'printerColumns',
      'configSections[].color',
      'configSections[].items[].controlType: map',
      'configSections[].items[].validation[].minimum',
      'configSections[].items[].path: .spec[0]',
      expect.stringMatching(/^a file that is not YAML: /),
    ])
  })

  it('names fields that the form does not have, and values for those that hold others', () => {
    const item = (path: string) => ({path, ...{title: '', help: '', section: '', isRequired: false}})
    const hints = [
      ...[item('spec.size'), item('spec.absent'), item('spec.toString.a')],
      ...[{...item('spec.list'), first: 'a', values: ['a']}, item('spec.list')],
    ]
    const properties = {size: {type: 'string'}, list: {type: 'array'}}
    expect(unfollowed(hints, {properties: {spec: {type: 'object', properties}}})).toEqual([
      'spec.absent: the form has no such field',
      'spec.toString.a: the form has no such field',
      'spec.list: default of an array',
      'spec.list: enum of an array',
    ])
  })

  it('is read of real packages: each part is followed or named', () => {
    const files = corpusYaml().filter(path => path.endsWith('ui-schema.yaml'))
    const names = new Set(files.flatMap(path => readUiSchemas([corpusText(path)]).unread))
    const unknown = [...names].filter(
      name =>
        !/^(?:resourceConditionPaths|printerColumns|initialConfig|uiSpec|configSections\[\]\.description|a file that is not YAML: .*)$/s.test(
          name,
        ),
    )
    expect(unknown).toEqual([])
  })
})
