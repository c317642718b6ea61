import {describe, expect, it} from '@jest/globals'
import {formatOwnedFiles, isOutputPath, parseOwnedFiles} from '../../src/plan/owned-files.js'

const a = 'a'.repeat(64)
const b = 'b'.repeat(64)

describe('formatOwnedFiles', () => {
  it('sorts by path, whatever the hashes', () => {
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
  it('reads what was written', () => {
    const owned = new Map([
      ['crds/x.yaml', b],
      ['kustomization.yaml', a],
    ])
    expect(parseOwnedFiles(formatOwnedFiles(owned))).toEqual(owned)
    expect(parseOwnedFiles(formatOwnedFiles(new Map()))).toEqual(new Map())
  })

  it('takes line ends that Git changed, and a folder without a list', () => {
    expect(parseOwnedFiles(`# kubectl-crossplane files v1\r\n${a}  x.yaml\r\n`)).toEqual(
      new Map([['x.yaml', a]]),
    )
    expect(parseOwnedFiles(undefined)).toEqual(new Map())
  })

  it.each([
    {name: 'nothing', in: ''},
    {name: 'another version', in: '# kubectl-crossplane files v2\n'},
    {name: 'a merge conflict', in: `# kubectl-crossplane files v1\n<<<<<<< ours\n${a}  x.yaml\n`},
    {name: 'a short hash', in: `# kubectl-crossplane files v1\n${a.slice(1)}  x.yaml\n`},
    {name: 'a path that leaves the folder', in: `# kubectl-crossplane files v1\n${a}  ../x.yaml\n`},
    {name: 'an absolute path', in: `# kubectl-crossplane files v1\n${a}  /etc/hosts\n`},
  ])('refuses $name', ({in: text}) => {
    expect(() => parseOwnedFiles(text)).toThrow(expect.objectContaining({code: 'output-refused'}))
  })
})

describe('isOutputPath', () => {
  it.each([
    {in: 'kustomization.yaml', want: true},
    {in: 'installs/a.b/record-b.yaml', want: true},
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
  ])('$in is one of ours: $want', ({in: path, want}) => {
    expect(isOutputPath(path)).toBe(want)
  })
})
