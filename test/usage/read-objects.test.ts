import {describe, expect, it} from '@jest/globals'
import {readObjects} from '../../src/usage/objects/read-objects.js'

const DB = (name: string) =>
  `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  size: 5\n`

function read(files: Readonly<Record<string, string>>) {
  const {objects, unread} = readObjects(
    Object.entries(files).map(([path, text]) => ({path, bytes: Buffer.from(text)})),
  )
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
      name: 'a file that is not YAML',
      in: {'a.yaml': `${DB('a')} b: [\n`},
      objects: [],
      unread: [expect.stringMatching(/^a.yaml: cannot read a.yaml as YAML: line 6/) as unknown as string],
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
  ])('does not read $name', ({in: files, objects, unread}) => {
    expect(read(files as unknown as Readonly<Record<string, string>>)).toEqual({objects, unread})
  })
})
