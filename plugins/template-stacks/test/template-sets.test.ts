import {describe, expect, it} from '@jest/globals'
import {identityText} from '../src/gotemplate/identity-text.js'
import {templateSets} from '../src/gotemplate/template-sets.js'

const files = (...paths: readonly string[]) => new Map(paths.map(path => [path, Buffer.from(path)]))

describe('the layout of named templates', () => {
  it('has a folder for each kind, and others for partials', () => {
    const {sets, partials, errors} = templateSets(
      files(
        'Foo.foo.example.org_v1/b.yaml',
        'Foo.foo.example.org_v1/a.yaml',
        'Foo.foo.example.org_v1/status.yaml',
        'labels/app.txt',
      ),
      'templates',
    )
    expect(errors).toEqual([])
    expect(sets).toMatchObject([
      {
        key: 'Foo.foo.example.org/v1',
        kind: 'Foo',
        apiVersion: 'foo.example.org/v1',
        templates: [
          {name: 'a', path: 'templates/Foo.foo.example.org_v1/a.yaml'},
          {name: 'b', path: 'templates/Foo.foo.example.org_v1/b.yaml'},
        ],
        status: {name: 'status'},
      },
    ])
    expect(partials.map(({key, name}) => [key, name])).toEqual([
      ['Foo.foo.example.org/v1', 'a'],
      ['Foo.foo.example.org/v1', 'b'],
      ['Foo.foo.example.org/v1', 'status'],
      ['labels', 'app'],
    ])
  })

  it.each([
    {name: 'a template with the name of a variable', path: 'Foo.foo.example.org_v1/spec.yaml'},
    {name: 'a template that is no YAML', path: 'Foo.foo.example.org_v1/a.txt'},
    {name: 'a file in no folder', path: 'a.yaml'},
  ])('cannot have $name', ({path}) => {
    expect(templateSets(files(path), 'templates').errors).toMatchObject([{file: `templates/${path}`}])
  })
})

describe('the identity in a template', () => {
  it.each([
    {
      name: 'block style',
      in: 'apiVersion: v1\nkind: Secret\nmetadata:\n  labels:\n    name: no\n  name: {{ .metadata.name }}\nspec:\n  name: no\n',
      want: 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .metadata.name }}\n',
    },
    {
      name: 'flow style, in a condition',
      in: '{{ if .spec.x }}\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n{{ end }}',
      want: 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
    },
    {name: 'a partial', in: '{{ include "a" "b" }}', want: undefined},
    {name: 'no name', in: 'apiVersion: v1\nkind: Secret\nmetadata:\n  labels: {}\n', want: undefined},
  ])('of $name', ({in: text, want}) => {
    expect(identityText(text)).toBe(want)
  })
})
