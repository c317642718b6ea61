import {describe, expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'

const install = (...args: readonly string[]) =>
  runCli('package', 'install', 'x/app:v1.0.0', '--git', 'https://127.0.0.1:9/no.git', ...args)

describe('the cause of a failure', () => {
  it('is printed once, where the message has all of it', async () => {
    const {status, stderr} = await install('--yes')
    expect(status).toBe(5)
    const [message = '', next = ''] = stderr.split('\n')
    expect(message).toMatch(/^Error: cannot read https:.*: fatal: .*no\.git/)
    expect(next).toMatch(/^Try: /)
    expect(stderr).not.toContain('caused by')
  })

  it('stays in the JSON, whatever the message has', async () => {
    const {stderr} = await install('--dry-run=client', '-o', 'json')
    const {message, cause} = JSON.parse(stderr) as {readonly message: string; readonly cause: string}
    expect(cause).toMatch(/^fatal: .*no\.git/)
    expect(message).toContain(cause.split('\n')[0])
  })
})
