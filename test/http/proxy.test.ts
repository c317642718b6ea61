import {describe, expect, it} from '@jest/globals'
import {proxyFor} from '../../src/http/proxy.js'
import {outcome} from '../outcome.js'

const settings = {https: 'http://proxy.example.org:3128', http: 'plain.example.org'}

describe('the proxy for a URL', () => {
  it.each([
    {
      name: 'https',
      reason: 'HTTPS_PROXY',
      in: 'https://r.example.org/',
      want: 'http://proxy.example.org:3128/',
    },
    {
      name: 'http',
      reason: 'HTTP_PROXY, http by default',
      in: 'http://r.example.org/',
      want: 'http://plain.example.org/',
    },
    ...['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'LOCALHOST'].map(host => ({
      name: host,
      reason: 'is this machine',
      in: `https://${host}:5000/`,
      want: 'none',
    })),
  ])('$name: $reason', ({in: url, want}) => {
    expect(proxyFor(new URL(url), settings)?.href ?? 'none').toBe(want)
  })

  it.each([
    {no: '*', in: 'https://r.example.org/', want: true},
    {no: 'example.org', in: 'https://r.example.org/', want: true},
    {no: 'example.org', in: 'https://example.org/', want: true},
    {no: 'example.org', in: 'https://badexample.org/', want: false},
    {no: '.example.org', in: 'https://r.example.org/', want: true},
    {no: '.example.org', in: 'https://example.org/', want: false},
    {no: '*.Example.org', in: 'https://r.example.org/', want: true},
    {no: 'a, b  example.org', in: 'https://example.org/', want: true},
    {no: 'example.org:5000', in: 'https://example.org:5000/', want: true},
    {no: 'example.org:5000', in: 'https://example.org/', want: false},
    {no: 'example.org:443', in: 'https://example.org/', want: true},
    {no: 'example.org:80', in: 'http://example.org/', want: true},
    {no: '10.0.0.0/8', in: 'https://10.2.3.4:5000/', want: true},
    {no: '10.0.0.0/8', in: 'https://11.2.3.4/', want: false},
    {no: '10.0.0.0/8', in: 'https://r10.example.org/', want: false},
    {no: '10.0.0.0/33', in: 'https://10.0.0.0/', want: false},
    {no: '0.0.0.0/0', in: 'https://[2001:db8::1]/', want: false},
    {no: '2001:db8::/32', in: 'https://[2001:db8::1]/', want: true},
    {no: '2001:db9::/32', in: 'https://[2001:db8::1]/', want: false},
    {no: '2001:db8:0::1', in: 'https://[2001:db8::1]/', want: true},
    {no: '[2001:db8::1]:5000', in: 'https://[2001:db8::1]:5000/', want: true},
    {no: '[2001:db8::1]:5000', in: 'https://[2001:db8::1]/', want: false},
    {no: '10.1.1.1', in: 'https://10.1.1.1/', want: true},
    {no: '10.1.1.999', in: 'https://10.1.1.1/', want: false},
    {no: '2001:zz::1', in: 'https://10.1.1.1/', want: false},
  ])('NO_PROXY=$no and $in: $want', ({no, in: url, want}) => {
    expect(proxyFor(new URL(url), {...settings, no}) === undefined).toBe(want)
  })

  it.each([
    {name: 'none', reason: 'not set', in: '', want: undefined},
    {name: 'SOCKS', reason: 'is another protocol', in: 'socks5://p.example.org', want: 'usage'},
    {name: 'no URL', reason: 'a typing error', in: 'http://p q', want: 'usage'},
    {name: 'a lone %', reason: 'the password is not encoded', in: 'http://a:%@p.example.org', want: 'usage'},
  ])('$name: $reason', async ({in: https, want}) => {
    expect(await outcome(() => proxyFor(new URL('https://r.example.org/'), {https}))).toBe(want)
  })
})
