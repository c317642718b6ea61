import {expect, it} from '@jest/globals'
import {temporaryFolder} from '../temporary-folder.js'
import {differencesOf, shownDifference} from '../../scripts/compare/differences.mjs'

const folder = temporaryFolder()
const parts = (entries: Readonly<Record<string, string>>) =>
  new Map(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)]))

const CASES: readonly {
  readonly name: string
  readonly old?: Readonly<Record<string, string>>
  readonly now?: Readonly<Record<string, string>>
  readonly want: readonly string[]
}[] = [
  {name: 'equal parts', old: {a: '1\n'}, now: {a: '1\n'}, want: []},
  {
    name: 'a changed part',
    old: {a: '1\n2\n'},
    now: {a: '1\n3\n'},
    want: ['--- a\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n'],
  },
  {name: 'a part that is new', now: {b: ''}, want: ['--- b\n  only in NEW']},
  {name: 'a part that is gone', old: {b: ''}, want: ['--- b\n  only in OLD']},
]

it.each(CASES)('compare prints $name', ({old = {}, now = {}, want}) => {
  expect(differencesOf(parts(old), parts(now)).map(each => shownDifference(each, folder))).toEqual(want)
})
