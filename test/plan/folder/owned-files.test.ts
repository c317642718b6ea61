import {describe, expect, it} from '@jest/globals'
import {formatOwnedFiles, isOutputPath, parseOwnedFiles} from '../../../src/plan/folder/owned-files.js'

const a = 'a'.repeat(64)
const b = 'b'.repeat(64)

describe('formatOwnedFiles', () => {
  it('sorts by path, for any hashes', () => {
    const owned = new Map([
      ['kustomization.yaml', a],
      ['crds/x.yaml', b],
    ])
    expect(formatOwnedFiles(owned)).toBe(
      `# kubectl-crossplane files v1\n${b}  crds/x.yaml\n${a}  kustomization.yaml\n`,
    )
  })
})

describe('parseOwnedFiles', () => {
  it('reads the text that was written', () => {
    const owned = new Map([
      ['crds/x.yaml', b],
      ['kustomization.yaml', a],
    ])
    expect(parseOwnedFiles(formatOwnedFiles(owned), 'out')).toEqual(
      new Map([
        ['crds/x.yaml', [b]],
        ['kustomization.yaml', [a]],
      ]),
    )
    expect(parseOwnedFiles(formatOwnedFiles(new Map()), 'out')).toEqual(new Map())
  })

  it('reads line ends that Git changed, and a folder without a list', () => {
    expect(parseOwnedFiles(`# kubectl-crossplane files v1\r\n${a}  x.yaml\r\n`, 'out')).toEqual(
      new Map([['x.yaml', [a]]]),
    )
    expect(parseOwnedFiles(undefined, 'out')).toEqual(new Map())
  })

  it('reads both sides of a merge, with and without conflict markers', () => {
    const both = new Map([
      ['x.yaml', [a, b]],
      ['y.yaml', [b]],
    ])
    const [ours, theirs, other] = [`${a}  x.yaml`, `${b}  x.yaml`, `${b}  y.yaml`]
    const conflict = [
      '<<<<<<< HEAD',
      ours,
      '||||||| 1234567',
      ours,
      '=======',
      theirs,
      other,
      '>>>>>>> branch',
    ]
    for (const lines of [[ours, theirs, other], conflict]) {
      expect(parseOwnedFiles(['# kubectl-crossplane files v1', ...lines, ''].join('\n'), 'out')).toEqual(both)
    }
  })

  it('suggests a command that restores the list of this folder', () => {
    const act = () => parseOwnedFiles('damaged', 'my deploy')
    expect(act).toThrow(
      expect.objectContaining({
        suggestions: ["git -C 'my deploy' restore -- .kubectl-crossplane/files.sha256"],
      }),
    )
  })

  it.each([
    {name: 'nothing', in: ''},
    {name: 'another version', in: '# kubectl-crossplane files v2\n'},
    {name: 'half a conflict marker', in: `# kubectl-crossplane files v1\n<<<<\n${a}  x.yaml\n`},
    {name: 'a short hash', in: `# kubectl-crossplane files v1\n${a.slice(1)}  x.yaml\n`},
    {name: 'a path that leaves the folder', in: `# kubectl-crossplane files v1\n${a}  ../x.yaml\n`},
    {name: 'an absolute path', in: `# kubectl-crossplane files v1\n${a}  /etc/hosts\n`},
  ])('rejects $name', ({in: text}) => {
    expect(() => parseOwnedFiles(text, 'out')).toThrow(expect.objectContaining({code: 'output-refused'}))
  })
})

describe('isOutputPath', () => {
  it.each([
    {in: 'kustomization.yaml', want: true},
    {in: 'installs/a.b/record-b.yaml', want: true},
    {in: '.gitattributes', want: true},
    {in: 'crds/.gitattributes', want: false},
    {in: '', want: false},
    {in: 'a//b', want: false},
    {in: 'a/', want: false},
    {in: '/a', want: false},
    {in: './a', want: false},
    {in: 'a/../b', want: false},
    {in: 'a\\b', want: false},
    {in: 'C:/a', want: false},
    {in: '.git/config', want: false},
    {in: '.kubectl-crossplane/journal', want: false},
    {in: 'README.md', want: false},
    {in: 'a'.repeat(201), want: false},
    {in: 'a/'.repeat(600) + 'a', want: false},
  ])('$in is an output path: $want', ({in: path, want}) => {
    expect(isOutputPath(path)).toBe(want)
  })
})
