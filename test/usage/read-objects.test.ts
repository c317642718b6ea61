import {describe, expect, it} from '@jest/globals'
import {readObjects} from '../../src/usage/objects/read-objects.js'

const DB = (name: string) =>
  `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  size: 5\n`

function filesOf(texts: Readonly<Record<string, string | Buffer>>) {
  return Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text as string)}))
}

function read(files: Readonly<Record<string, string>>) {
  const {objects, unread} = readObjects(filesOf(files))
  return {
    objects: objects.map(
      ({file, line, kind, lineOf}) => `${file}:${line} ${kind} ${lineOf(['spec', 'size'])}`,
    ),
    unread: unread.map(({file, reason}) => `${file}: ${reason}`),
  }
}

describe('objects of files', () => {
  it('has the documents of a file and the items of Lists, with their lines', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.org/v1\n  kind: Db\n  spec:\n    size: 3\n`
    expect(read({'a.yaml': `# first\n${DB('a')}---\n${DB('b')}`, 'b.json': '[]', 'l.yaml': list})).toEqual({
      objects: ['a.yaml:2 Db 6', 'a.yaml:8 Db 12', 'l.yaml:4 Db 7'],
      unread: [],
    })
  })

  it.each([
    {
      name: 'a template of a Helm chart',
      in: {
        'c/Chart.yaml': 'apiVersion: v2\nname: c\n',
        'c/templates/a.yaml': DB('a'),
        'c/crds/b.yaml': DB('b'),
      },
      objects: ['c/crds/b.yaml:1 Db 5'],
      unread: ['c/templates/a.yaml: it is a template of a Helm chart'],
    },
    {
      name: 'another template',
      in: {'a.yaml': `{{ range . }}\n${DB('a')}{{ end }}\n`},
      objects: [],
      unread: ['a.yaml: it is a template'],
    },
    {
      name: 'a patch of kustomize',
      in: {
        'o/kustomization.yaml': 'resources: [../b]\npatches:\n- path: ../o/./p.yaml\n',
        'o/p.yaml': DB('a'),
        'b/a.yaml': DB('a'),
      },
      objects: ['b/a.yaml:1 Db 5'],
      unread: [
        'o/kustomization.yaml: kustomize changes objects by patches',
        'o/p.yaml: it is a patch of kustomize',
      ],
    },
    {
      name: 'a patch of a kustomization without an extension, at an absolute path',
      in: {'/o/Kustomization': 'patches:\n- path: p.yaml\n', '/o/p.yaml': DB('a')},
      objects: [],
      unread: [
        '/o/Kustomization: kustomize changes objects by patches',
        '/o/p.yaml: it is a patch of kustomize',
      ],
    },
    {
      name: 'what a kustomization reads elsewhere',
      in: {
        'o/kustomization.yaml': 'resources: [a.yaml, ../b, ../c, https://example.org/d.yaml]\n',
        'o/a.yaml': DB('a'),
        'b/b.yaml': DB('b'),
      },
      objects: ['o/a.yaml:1 Db 5', 'b/b.yaml:1 Db 5'],
      unread: [
        'o/kustomization.yaml: kustomize reads ../c, which was not read',
        'o/kustomization.yaml: kustomize reads https://example.org/d.yaml, which was not read',
      ],
    },
    {
      name: 'an object whose kind is a variable',
      in: {'a.yaml': DB('a').replace('kind: Db', 'kind: ${KIND}')},
      objects: [],
      unread: ['a.yaml: its kind is a variable or a template'],
    },
  ])('does not read $name', ({in: files, objects, unread}) => {
    expect(read(files as unknown as Readonly<Record<string, string>>)).toEqual({objects, unread})
  })

  const LIST = 'apiVersion: v1\nkind: List\nitems:\n'
  const ITEM = '- {apiVersion: example.org/v1, kind: Db}\n'

  it.each([
    {name: 'broken YAML', text: `${DB('a')} b: [\n`, want: '6 it cannot be read: '},
    {
      name: 'a kind that is given twice',
      text: 'apiVersion: a/v1\nkind: X\nkind: Y\n',
      want: '3 kind is given twice',
    },
    {name: 'a key that is given twice', text: `${DB('a')}  size: 6\n`, want: '6 spec.size is given twice'},
    {
      name: 'items without a kind',
      text: `apiVersion: example.org/v1\nkind: DbList\nitems:\n- spec: {}\n- spec: {}\n`,
      want: '4 2 items of a List without a kind',
    },
    {
      name: 'UTF-16',
      text: Buffer.from(`\ufeff${DB('a')}`, 'utf16le'),
      want: '1 it cannot be read: the file is UTF-16',
    },
    {name: 'bytes that are not text', text: Buffer.from([0x80, 0, 1]), want: '1 it cannot be read: '},
    {name: 'a NUL', text: Buffer.from([0x61, 0]), want: '1 it cannot be read: '},
  ])('names what cannot be read: $name', ({text, want}) => {
    const {unread, unreadable, objects} = readObjects(filesOf({'a.yaml': text, 'b.yaml': DB('b')}))
    expect(unreadable.map(({file, line, reason}) => `${file} ${String(line)} ${reason}`)).toEqual([
      expect.stringContaining(`a.yaml ${want}`),
    ])
    expect(unread).toEqual(unreadable)
    expect(objects.map(({file}) => file)).toContain('b.yaml')
  })

  it('has the items of Lists within Lists, with their lines', () => {
    const nested = `${LIST}- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: a/v1\n    kind: Db\n    spec:\n      size: 1\n`
    expect(read({'l.yaml': nested})).toEqual({objects: ['l.yaml:7 Db 10'], unread: []})
  })

  it('reads a List with more values than a file of a package can have', () => {
    const items = Array.from({length: 1500}, (_, at) => ({
      ...{apiVersion: 'example.org/v1', kind: 'Db', metadata: {name: `n${at}`}},
      spec: Object.fromEntries(Array.from({length: 150}, (_value, field) => [`f${field}`, field])),
    }))
    const json = JSON.stringify({apiVersion: 'v1', kind: 'List', items})
    const {objects, unread} = readObjects(filesOf({'l.json': json}))
    expect([objects.length, unread]).toEqual([1500, []])
  })

  it('names inputs without objects', () => {
    const texts = {'a.yaml': `${LIST}${ITEM}`, 'b/c.yaml': 'a: 1\n'}
    const inputs = Object.entries({a: ['a.yaml'], b: ['b/c.yaml'], c: []}).map(([name, paths]) => ({
      name,
      paths,
    }))
    const {empty} = readObjects(filesOf(texts), {...{inputs, rendered: [], unread: []}, unreadable: []})
    expect(empty).toEqual(['b', 'c'])
  })
})
