import {describe, expect, it} from '@jest/globals'
import {gitEnvironment} from '../../src/adapters/git/git-environment.js'

describe('the environment of git', () => {
  it('is that of the user, without what names another repository', () => {
    const env = {
      HOME: '/home/a',
      GIT_AUTHOR_NAME: 'A',
      GIT_DIR: '/b/.git',
      GIT_INDEX_FILE: '/b/index',
      NO: undefined,
    }
    expect(gitEnvironment(env, true)).toEqual({HOME: '/home/a', GIT_AUTHOR_NAME: 'A', LANGUAGE: 'en'})
  })

  it.each([
    {name: 'no variable', env: {}, ssh: {GIT_SSH_COMMAND: 'ssh -i configured -o BatchMode=yes'}},
    {
      name: 'a command for ssh',
      env: {GIT_SSH_COMMAND: 'ssh -i key'},
      ssh: {GIT_SSH_COMMAND: 'ssh -i key -o BatchMode=yes'},
    },
    {name: 'a program for ssh', env: {GIT_SSH: 'plink'}, ssh: {GIT_SSH: 'plink'}},
  ])('without a terminal extends the configured program for ssh, with $name', ({env, ssh}) => {
    expect(gitEnvironment(env, false, 'ssh -i configured')).toEqual({
      ...ssh,
      LANGUAGE: 'en',
      GIT_TERMINAL_PROMPT: '0',
    })
  })

  it.each([
    {name: 'no program for ssh', env: {}, ssh: {GIT_SSH_COMMAND: 'ssh -o BatchMode=yes'}},
    {
      name: 'a command for ssh',
      env: {GIT_SSH_COMMAND: 'ssh -i key'},
      ssh: {GIT_SSH_COMMAND: 'ssh -i key -o BatchMode=yes'},
    },
    {name: 'a program for ssh', env: {GIT_SSH: 'plink'}, ssh: {GIT_SSH: 'plink'}},
    {
      name: 'a program for passwords',
      env: {GIT_ASKPASS: 'pass'},
      ssh: {GIT_ASKPASS: 'pass', GIT_SSH_COMMAND: 'ssh -o BatchMode=yes'},
    },
  ])('without a terminal prompts for nothing, with $name', ({env, ssh}) => {
    expect(gitEnvironment(env, false)).toEqual({...ssh, LANGUAGE: 'en', GIT_TERMINAL_PROMPT: '0'})
  })
})
