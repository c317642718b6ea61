import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {parseChallenges} from '../../../src/registry/credentials/challenge.js'

const shown = (header: string) =>
  parseChallenges(header).map(({scheme, parameters}) => [scheme, Object.fromEntries(parameters)])

describe('parseChallenges', () => {
  it.each<{name: string; in: string; want: unknown}>([
    {
      name: 'what docker.io sends',
      in: 'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull,push"',
      want: [
        [
          'bearer',
          {
            realm: 'https://auth.docker.io/token',
            service: 'registry.docker.io',
            scope: 'repository:a/b:pull,push',
          },
        ],
      ],
    },
    {name: 'Basic', in: 'Basic realm="x"', want: [['basic', {realm: 'x'}]]},
    {name: 'a scheme alone', in: 'Negotiate', want: [['negotiate', {}]]},
    {name: 'names in any case', in: 'BEARER Realm="x"', want: [['bearer', {realm: 'x'}]]},
    {
      name: 'several, also those with a token',
      in: 'Negotiate abc==, Basic realm="a", Bearer realm="b", service=c',
      want: [
        ['negotiate', {}],
        ['basic', {realm: 'a'}],
        ['bearer', {realm: 'b', service: 'c'}],
      ],
    },
    {
      name: 'spaces',
      in: '  Bearer  realm = "a" ,  service = b ,, ',
      want: [['bearer', {realm: 'a', service: 'b'}]],
    },
    {
      name: 'no quotes about a URL',
      in: 'Bearer realm=https://a/b?c=d',
      want: [['bearer', {realm: 'https://a/b?c=d'}]],
    },
    {
      name: 'quotes in quotes',
      in: 'Basic realm="a\\"b\\\\, Bearer realm=c"',
      want: [['basic', {realm: 'a"b\\, Bearer realm=c'}]],
    },
    {name: 'one twice: the first', in: 'Bearer realm="a",realm="b"', want: [['bearer', {realm: 'a'}]]},
    {name: 'an open quote', in: 'Bearer service=a, realm="b', want: [['bearer', {service: 'a'}]]},
    {name: 'nothing', in: '', want: []},
    {name: 'garbage', in: '"=",;', want: []},
    {name: 'a header without end', in: `Bearer realm="${'a'.repeat(10_000)}"`, want: []},
  ])('reads $name', ({in: header, want}) => {
    expect(shown(header)).toEqual(want)
  })

  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/)
  const value = fc.string({maxLength: 20})
  const challenge = fc.tuple(
    word,
    fc.uniqueArray(fc.tuple(word, value), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name.toLowerCase(),
    }),
  )
  it('reads values quoted as in RFC 9110', () => {
    fc.assert(
      fc.property(fc.array(challenge, {maxLength: 4}), challenges => {
        const header = challenges
          .map(([scheme, parameters]) => {
            const pairs = parameters.map(([name, text]) => `${name}="${text.replace(/[\\"]/g, '\\$&')}"`)
            return `${scheme} ${pairs.join(', ')}`
          })
          .join(', ')
        expect(parseChallenges(header)).toEqual(
          challenges.map(([scheme, parameters]) => ({
            scheme: scheme.toLowerCase(),
            parameters: new Map(parameters.map(([name, text]) => [name.toLowerCase(), text])),
          })),
        )
      }),
    )
  })

  it('accepts any text, with a bounded number of results', () => {
    fc.assert(
      fc.property(
        fc.string({maxLength: 300, unit: fc.constantFrom(...Array.from('Bb =,"\\;/\n\té'))}),
        header => {
          expect(parseChallenges(header).length).toBeLessThanOrEqual(header.length)
        },
      ),
    )
  })
})
