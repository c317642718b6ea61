import {afterEach, describe, expect, it} from '@jest/globals'
import {runCli} from '../../../run-cli.js'

describe('CROSSPLANE_OFFLINE', () => {
  afterEach(() => {
    delete process.env.CROSSPLANE_OFFLINE
  })
  const pull = async (...flags: readonly string[]) =>
    await runCli('package', 'pull', 'registry.invalid/team/a:v1', ...flags, '-o', 'json')
  const codeOf = ({stderr}: {readonly stderr: string}) => (JSON.parse(stderr) as {readonly code: string}).code

  it.each(['on', 'enabled', '2', 'offline'])('is rejected as %s', async value => {
    process.env.CROSSPLANE_OFFLINE = value
    const {status, stderr} = await runCli('package', 'pull', 'registry.invalid/team/a:v1')
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: `Error: invalid value "${value}" of CROSSPLANE_OFFLINE: not a boolean\nTry: Set CROSSPLANE_OFFLINE to true or false.\n`,
    })
  })

  it.each(['true', '1', 'YES'])('prevents a pull from a registry as %s', async value => {
    process.env.CROSSPLANE_OFFLINE = value
    expect(codeOf(await pull())).toBe('offline')
  })

  it.each(['false', '0', 'NO', ''])('is like an unset variable as %s', async value => {
    process.env.CROSSPLANE_OFFLINE = value
    expect(codeOf(await pull('--no-cache'))).toBe('registry-unreachable')
  })

  it('yields to --offline=false', async () => {
    process.env.CROSSPLANE_OFFLINE = 'true'
    expect(codeOf(await pull('--offline=false'))).toBe('registry-unreachable')
  })

  it('does not affect a command without the flag', async () => {
    process.env.CROSSPLANE_OFFLINE = 'on'
    expect(await runCli('version')).toMatchObject({status: 0, stderr: ''})
  })
})
