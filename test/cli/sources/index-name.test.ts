import {describe, expect, it} from '@jest/globals'
import {indexNames, parseIndexName} from '../../../src/cli/sources/index-name.js'
import {outcome} from '../../outcome.js'

const repository = (registry: string, path: string) => ({kind: 'repository', root: {registry, path}})
const file = (path: string) => ({kind: 'file', path})

describe('the name of an index', () => {
  it.each([
    {name: 'a path here', reason: 'a shell completes to it', in: './all', want: file('./all')},
    {name: 'a path above', reason: 'a shell completes to it', in: '../all', want: file('../all')},
    {name: 'a path from the root', reason: 'a shell completes to it', in: '/all', want: file('/all')},
    {name: 'a file beside', reason: 'it ends as such files do', in: 'all.jsonl', want: file('all.jsonl')},
    {
      name: 'a repository',
      reason: 'it names its host',
      in: 'r.org:5000/a/b',
      want: repository('r.org:5000', 'a/b'),
    },
    {
      name: 'a short one',
      reason: 'it is of the default source',
      in: 'a/b',
      want: repository('r.org', 'x/a/b'),
    },
    {
      name: 'one with a tag',
      reason: 'an index has no tag or digest',
      in: 'r.org/a:v1',
      want: 'reference-invalid',
    },
    {
      name: 'one with a digest',
      reason: 'an index has no tag or digest',
      in: `a@sha256:${'0'.repeat(64)}`,
      want: 'reference-invalid',
    },
    {name: 'nothing', reason: 'the name is empty', in: '', want: 'reference-invalid'},
    {name: 'capitals', reason: 'no repository has any', in: 'Index', want: 'reference-invalid'},
  ])('$name: $reason', async ({in: text, want}) => {
    expect(await outcome(() => parseIndexName(text, 'r.org/x'))).toEqual(want)
  })

  it('defaults to docker.io', () => {
    expect(parseIndexName('a')).toEqual(repository('docker.io', 'library/a'))
  })
})

describe('indexes from flags and variables', () => {
  it.each([
    {name: 'none', reason: 'the default', in: undefined, want: []},
    {name: 'flags', reason: 'each is one', in: ['b', './a,b.jsonl'], want: ['b', './a,b.jsonl']},
    {name: 'a variable', reason: 'commas part it', in: 'b, ./a.jsonl,', want: ['b', './a.jsonl']},
    {name: 'an empty flag', reason: 'rejected when it is parsed', in: [''], want: ['']},
    {name: 'an empty variable', reason: 'it names none', in: '', want: []},
  ])('by $name: $reason', ({in: index, want}) => {
    expect(indexNames(index === undefined ? {} : {index})).toEqual(want)
  })
})
