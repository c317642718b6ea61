import {describe, expect, it} from '@jest/globals'
import {memberPath} from '../../src/fetch/member-path.js'
import {outcome} from '../outcome.js'

describe('memberPath', () => {
  it.each<{in: string; want: readonly string[] | string}>([
    {in: 'a/b', want: ['a', 'b']},
    {in: './a//b/', want: ['a', 'b']},
    {in: './', want: []},
    {in: '', want: []},
    {in: '/', want: []},
    {in: '//./', want: []},
    {in: '...', want: ['...']},
    {in: 'a..b/..c', want: ['a..b', '..c']},
    {in: '/a', want: 'source-unsafe'},
    {in: '//a', want: 'source-unsafe'},
    {in: '/..', want: 'source-unsafe'},
    {in: '..', want: 'source-unsafe'},
    {in: 'a/../b', want: 'source-unsafe'},
    {in: 'a/..', want: 'source-unsafe'},
  ])('$in', async ({in: name, want}) => {
    expect(await outcome(() => memberPath(name, 'the tar'))).toEqual(want)
  })
})
