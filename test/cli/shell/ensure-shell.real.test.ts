import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {programCommand} from '../../built-program.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {runProgram} from '../../run-program.js'

/** The arguments of `unshare` for a user without an entry in /etc/passwd. */
const UNKNOWN_USER = ['--user', '--map-user=54321', '--map-group=54321']

function missing(): string | undefined {
  const {stdout} = spawnSync('unshare', [...UNKNOWN_USER, 'id', '-u'], {encoding: 'utf8'})
  return stdout === '54321\n' ? undefined : 'no user namespaces for this user'
}

describeReal('a user without an entry in /etc/passwd and without SHELL', missing(), () => {
  it('can run the program', async () => {
    const args = [...UNKNOWN_USER, ...programCommand('version').flat()]
    const result = await runProgram('unshare', args, {env: {SHELL: undefined}})
    expect(result).toEqual({...(await runCli('version')), signal: null})
  })
})
