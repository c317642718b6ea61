import {describe, expect, it} from '@jest/globals'
import {registryPorts} from '../../src/cli/registries.js'
import {outcome} from '../outcome.js'

describe('where a registry sends us on to in plain HTTP', () => {
  it.each([
    {plain: false, reason: 'nobody allowed it', want: 'registry-failed'},
    {plain: true, reason: 'it is tried, and there is no such host', want: 'registry-unreachable'},
  ])('with --plain-http $plain: $reason', async ({plain, want}) => {
    const flags = {'insecure-skip-tls-verify': false, 'plain-http': plain}
    const {http} = await registryPorts(flags, 'registry.test')
    const url = new URL('http://tokens.invalid/')
    expect(await outcome(() => http.send({method: 'GET', url, headers: {}}))).toBe(want)
  })
})
