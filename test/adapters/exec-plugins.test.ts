import {describe, expect, it} from '@jest/globals'
import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {execPlugins} from '../../src/adapters/exec-plugins.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()

function run(command: string, args: readonly string[] = [], interactive = false) {
  return execPlugins().run({command, args, env: [{name: 'GREETING', value: 'hello'}], interactive})
}

/** Runs a script of the shell, whose output is compared as text. */
async function shell(script: string, ...args: readonly string[]) {
  const result = await run('/bin/sh', ['-c', script, 'sh', ...args])
  return result.kind === 'exited' ? {...result, output: Buffer.from(result.output).toString()} : result
}

describe('an exec plugin', () => {
  it('gets arguments and variables unchanged, and an empty standard input', async () => {
    const output = 'hello $HOME *\n'
    expect(await shell('cat; echo "$GREETING $1 $2"', '$HOME', '*')).toEqual({
      kind: 'exited',
      status: 0,
      output,
    })
  })

  it.each([
    {name: 'its status', script: 'echo x; exit 3', want: {status: 3, output: 'x\n'}},
    {
      name: 'success, whatever it prints to standard error',
      script: 'echo "warning: deprecated" >&2; echo "error: x" >&2; echo x',
      want: {status: 0, output: 'x\n'},
    },
    {name: 'the end by a signal', script: 'kill -9 $$', want: {status: 128, output: ''}},
  ])('reports $name', async ({script, want}) => {
    expect(await shell(script)).toEqual({kind: 'exited', ...want})
  })

  it('is stopped when its output exceeds the limit', async () => {
    expect(await shell('exec cat /dev/zero')).toEqual({
      kind: 'failed',
      reason: 'its output is larger than 1 MiB',
    })
  })

  it('is stopped when it does not exit in time, also with a process that it started', async () => {
    const command = {
      command: '/bin/sh',
      args: ['-c', 'sleep 60 2>/dev/null & exec sleep 60'],
      env: [],
      interactive: false,
    }
    expect(await execPlugins(100).run(command)).toEqual({
      kind: 'failed',
      reason: 'it did not exit within 0.1s',
    })
  })

  it.each([{command: 'no-such-plugin'}, {command: '/no/such/plugin'}])(
    'is reported as missing: $command',
    async ({command}) => {
      expect(await run(command)).toEqual({kind: 'absent'})
    },
  )

  it('is reported when it is not executable', async () => {
    const file = join(writeTree(temporary, {plugin: '#!/bin/sh\n'}), 'plugin')
    chmodSync(file, 0o600)
    expect(await run(file)).toEqual({kind: 'failed', reason: 'permission denied'})
  })
})
