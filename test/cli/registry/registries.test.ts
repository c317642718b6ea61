import {describe, expect, it} from '@jest/globals'
import {registryPorts} from '../../../src/cli/registry/registries.js'
import {outcome} from '../../outcome.js'

describe('a redirect to plain HTTP', () => {
  it.each([
    {plain: false, reason: 'it is not allowed', want: 'registry-failed'},
    {plain: true, reason: 'it is tried, and the host is unknown', want: 'registry-unreachable'},
  ])('with --plain-http $plain: $reason', async ({plain, want}) => {
    const flags = {'insecure-skip-tls-verify': false, 'plain-http': plain}
    const {http} = await registryPorts(flags, 'registry.test')
    const url = new URL('http://tokens.invalid/')
    expect(await outcome(() => http.send({method: 'GET', url, headers: {}}))).toBe(want)
  })
})

describe('a registry in a reference', () => {
  it.each([
    {host: 'localhost:99999', reason: 'the port is invalid', want: 'usage'},
    {host: '999.1.1.1', reason: 'the address is invalid', want: 'usage'},
    {host: '[:::]:80', reason: 'the address is invalid', want: 'usage'},
    {host: 'xn--a.test', reason: 'it encodes no name', want: 'usage'},
    {host: 'registry.test:5000', reason: 'it can exist', want: 'object'},
    {host: '[2001:db8::1]:5000', reason: 'it can exist', want: 'object'},
  ])('$host: $reason', async ({host, want}) => {
    const flags = {'insecure-skip-tls-verify': false, 'plain-http': false}
    const ports = await outcome(() => registryPorts(flags, host))
    expect(typeof ports === 'object' ? 'object' : ports).toBe(want)
  })
})
