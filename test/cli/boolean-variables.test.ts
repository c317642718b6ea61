import {afterEach, describe, expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'

describe('CROSSPLANE_OFFLINE', () => {
  afterEach(() => {
    delete process.env.CROSSPLANE_OFFLINE
  })

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
    const {stderr} = await runCli('package', 'pull', 'registry.invalid/team/a:v1', '-o', 'json')
    expect(JSON.parse(stderr)).toMatchObject({code: 'offline'})
  })
})
