import {expect, it} from '@jest/globals'
import {gitFailed} from '../../src/adapters/git/git-failure.js'

it('a commit without an author has the commands that set one', () => {
  const output = [
    ...['Author identity unknown', '', '*** Please tell me who you are.', '', 'Run', ''],
    ...['  git config --global user.email "you@example.com"', ''],
    "fatal: unable to auto-detect email address (got 'root@host.(none)')",
  ].join('\n')
  const {message, cause, suggestions} = gitFailed('commit', new Error(output))
  expect(message).toBe('cannot commit: git has no name and email address of an author')
  expect(cause).toBeUndefined()
  expect(suggestions).toEqual([expect.stringContaining('git config --global user.name NAME')])
})
