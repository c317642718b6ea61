import {expect, it} from '@jest/globals'
import {cannotOpen, gitFailed} from '../../src/adapters/git/git-failure.js'

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

it.each([
  {
    name: 'a hook of the server',
    action: 'push to ../r.git',
    output: [
      'remote: policy: changes need a pull request',
      'To ../r.git',
      '!\tabc:refs/heads/main\t[remote rejected] (pre-receive hook declined)',
      "error: failed to push some refs to '../r.git'",
    ],
    want: 'cannot push to ../r.git: pre-receive hook declined: policy: changes need a pull request',
  },
  {
    name: 'a protected branch',
    action: 'push to ../r.git',
    output: [
      '! [remote rejected] main -> main (protected branch hook declined)',
      "error: failed to push some refs to '../r.git'",
    ],
    want: 'cannot push to ../r.git: protected branch hook declined',
  },
  {
    name: 'ssh',
    action: 'read git@nowhere.invalid:x.git',
    output: [
      'ssh: Could not resolve hostname nowhere.invalid: Name or service not known',
      'fatal: Could not read from remote repository.',
      '',
      'Please make sure you have the correct access rights',
    ],
    want: 'cannot read git@nowhere.invalid:x.git: ssh: Could not resolve hostname nowhere.invalid: Name or service not known',
  },
  {
    name: 'git without a program behind it',
    action: 'read x',
    output: [
      "fatal: '/x' does not appear to be a git repository",
      'fatal: Could not read from remote repository.',
    ],
    want: "cannot read x: '/x' does not appear to be a git repository",
  },
  {
    name: 'a hook of a commit',
    action: 'commit',
    output: ['warning: x', 'lint failed'],
    want: 'cannot commit: a hook failed: lint failed',
  },
  {
    name: 'a signature',
    action: 'commit',
    output: ['error: gpg failed to sign the data', 'fatal: failed to write commit object'],
    want: 'cannot commit: gpg failed to sign the data',
  },
  {
    name: 'only the conclusion',
    action: 'read x',
    output: ['fatal: Could not read from remote repository.'],
    want: 'cannot read x: Could not read from remote repository.',
  },
])('names the reason of $name first', ({action, output, want}) => {
  expect(gitFailed(action, new Error(output.join('\n'))).message).toBe(want)
})

it.each([
  {output: 'fatal: not a git repository (or any of the parent directories): .git', code: 'git-failed'},
  {output: 'fatal: this operation must be run in a work tree', code: 'git-failed'},
  {output: "fatal: detected dubious ownership in repository at '/x'", code: 'git-refused'},
])('$output', ({output, code}) => {
  expect(cannotOpen('x', new Error(output))).toMatchObject({code})
})
