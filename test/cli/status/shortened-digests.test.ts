import {expect, it} from '@jest/globals'
import {formatLockChanges} from '../../../src/cli/resolution/show-lock.js'
import {painter} from '../../../src/cli/shell/text/paint.js'
import {lockedList} from '../../../src/cli/status/show-history.js'

const DIGEST = `sha256:${'a'.repeat(64)}`
const SHORT = 'sha256:aaaaaaaaaaaa'
const paint = painter(['--no-color'])

it('the history of a lock has whole digests only in a wide table', () => {
  const commit = {id: 'b'.repeat(40), time: '2026-01-01T00:00:00Z', author: 'dev', subject: 'one'}
  const {table} = lockedList(
    {package: 'x/a', revisions: [{commit, version: 'v1', digest: DIGEST}], isCut: false},
    paint,
  )
  expect(table(false)).toMatch(new RegExp(`${SHORT}$`, 'm'))
  expect(table(true)).toContain(DIGEST)
})

it('the changes of a lock have the start of a digest', () => {
  const packages = [{package: 'x/a', old: 'v1', new: DIGEST, change: 'upgraded' as const}]
  const text = formatLockChanges({packages, unchanged: 0, others: []}, paint)
  expect(text).toContain(`x/a       v1    ${SHORT}   upgraded`)
  expect(text).not.toContain(DIGEST)
})
