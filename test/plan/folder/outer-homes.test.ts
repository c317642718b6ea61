import {describe, expect, it} from '@jest/globals'
import {homeIn, treeIn} from '../../../src/plan/folder/home.js'
import {expectNoHomeInTree, expectOutsideTree, outerHomes} from '../../../src/plan/folder/outer-homes.js'
import {outcome} from '../../outcome.js'

it('the homes that a home can be in are those of its parent folders', () => {
  expect(outerHomes({folder: 'a/b'}).map(({declaration}) => declaration)).toEqual([
    'crossplane-packages.yaml',
    'a/crossplane-packages.yaml',
  ])
  expect(outerHomes({folder: ''})).toEqual([])
})

const CASES = [
  {name: 'in the tree of the root', in: ['', undefined, 'packages/team'], want: 'git-refused'},
  {name: 'the tree itself', in: ['clusters', undefined, 'clusters/packages'], want: 'git-refused'},
  {name: 'in a tree with a name of its own', in: ['', 'rendered/x', 'rendered/x/y/z'], want: 'git-refused'},
  {name: 'beside the tree', in: ['', undefined, 'packages-of-others'], want: undefined},
  {name: 'above the tree', in: ['', 'rendered/x', 'rendered'], want: undefined},
] as const

describe('a home in the folder of another one', () => {
  it.each(CASES)('is judged $name', async ({in: [outer, output, folder], want}) => {
    const other = {...homeIn(outer), tree: treeIn(homeIn(outer), output)}
    expect(await outcome(() => expectOutsideTree(homeIn(folder), other))).toBe(want)
  })
})

describe('a new home', () => {
  it.each([
    {
      name: 'with another home in its tree',
      paths: ['packages/x/crossplane-packages.yaml'],
      want: 'git-refused',
    },
    {name: 'with other files in its tree', paths: ['packages/x/app.yaml'], want: undefined},
    {name: 'beside another home', paths: ['packages-x/crossplane-packages.yaml'], want: undefined},
  ])('is judged $name', async ({paths, want}) => {
    const home = {...homeIn(''), tree: 'packages'}
    expect(await outcome(() => expectNoHomeInTree(home, paths))).toBe(want)
  })
})
