import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {join} from 'node:path'
import {runCli} from '../../run-cli.js'
import {temporaryFolder} from '../../temporary-folder.js'

const install = (...args: readonly string[]) =>
  runCli('package', 'install', 'x/app:v1.0.0', '--git', 'https://127.0.0.1:9/no.git', ...args)

describe('the cause of a failure', () => {
  it('is printed once, where the message has all of it', async () => {
    const {status, stderr} = await install('--yes')
    expect(status).toBe(1)
    const [message = '', next = ''] = stderr.split('\n')
    expect(message).toMatch(/^Error: cannot read https:.*: .*no\.git/)
    expect(next).toMatch(/^Try: /)
    expect(stderr).not.toContain('caused by')
  })

  it('stays in the JSON, whatever the message has', async () => {
    const {stderr} = await install('--dry-run=client', '-o', 'json')
    const {message, cause} = JSON.parse(stderr) as {readonly message: string; readonly cause: string}
    expect(cause).toMatch(/^fatal: .*no\.git/)
    expect(message).toContain(cause.split('\n')[0]?.replace('fatal: ', ''))
  })
})

describe('the only diagnostic of a failure', () => {
  const repository = temporaryFolder()
  it('is printed once, with its rule, where the message has all of it', async () => {
    const git = (...args: readonly string[]) => execFileSync('git', args, {cwd: repository})
    git('init', '--quiet')
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
    git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'a')
    git('checkout', '--quiet', '--detach')
    const packages = join(import.meta.dirname, '../../../examples/packages')
    const at = ['--git', repository, '--packages', packages, '--yes', '--quiet']
    const {status, stderr} = await runCli('package', 'install', 'example/provider-sql:v0.2.0', ...at)
    expect({status, stderr}).toEqual({
      status: 5,
      stderr:
        'Error: cannot commit: HEAD is detached: a commit would belong to no branch [detached-head]\n' +
        'Try: Check out a branch: git switch BRANCH\n',
    })
  })
})
