import {describe, expect, it} from '@jest/globals'
import {parseRegistry} from '../../src/pipeline/login.js'

describe('an invalid registry', () => {
  it.each([
    {in: 'https://r.example.org', want: 'Write r.example.org, without https://.'},
    {in: 'https://localhost:5000/', want: 'Write localhost:5000, without https://.'},
    {in: 'https://myhost', want: 'Use HOST, HOST:PORT or docker.io, such as registry.example.org:5000.'},
    {in: 'https://r.example.org/team', want: expect.stringMatching(/^Use HOST, /) as unknown},
  ])('$in: $want', ({in: text, want}) => {
    expect(() => parseRegistry(text)).toThrow(expect.objectContaining({suggestions: [want]}))
  })
})
