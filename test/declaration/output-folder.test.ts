import {expect, it} from '@jest/globals'
import {outputSegments} from '../../src/declaration/output-folder.js'

it.each([
  ['packages', ['packages']],
  ['./rendered//production/', ['rendered', 'production']],
  ['.github', ['.github']],
])('a folder below that of a declaration: %s', (path, segments) => {
  expect(outputSegments(path)).toEqual(segments)
})

it.each([
  {path: '', reason: 'it is the folder of the declaration'},
  {path: './', reason: 'it is the folder of the declaration'},
  {path: '..', reason: 'it is outside of the folder of the declaration'},
  {path: 'a/../../b', reason: 'it is outside of the folder of the declaration'},
  {path: '/a', reason: 'it is absolute'},
  {path: 'a\\..\\b', reason: 'a backslash separates segments on other systems'},
  {path: 'a\n', reason: 'lists of paths have one for each line'},
  {path: '.GIT/hooks', reason: 'git would run what is in it'},
  {path: 'a/.git', reason: 'git would read it as another repository'},
  {path: 'crossplane-packages.lock', reason: 'it is in place of the lock'},
])('not the folder $path: $reason', ({path}) => {
  expect(outputSegments(path)).toBeUndefined()
})
