import {describe, expect, it} from '@jest/globals'
import {signerChanges} from '../../src/resolve/signer-changes.js'
import type {RecordedStatement} from '../../src/signatures/recorded-statement.js'

const SIGN = 'https://sigstore.dev/cosign/sign/v1'
const SBOM = 'https://cyclonedx.org/bom'
const by = (key: string, predicateType = SIGN): RecordedStatement => ({predicateType, signer: {key}})
const identity: RecordedStatement = {
  predicateType: SIGN,
  signer: {issuer: 'https://ci.example.org', subject: 'team'},
}

describe('a change of signers', () => {
  it.each([
    {name: 'another key', before: [by('a')], after: [by('b')], want: [SIGN]},
    {name: 'an identity in place of a key', before: [by('a')], after: [identity], want: [SIGN]},
    {
      name: 'another signer of an SBOM',
      before: [by('a'), by('a', SBOM)],
      after: [by('a'), by('b', SBOM)],
      want: [SBOM],
    },
    {name: 'the same signer', before: [by('a')], after: [by('a')], want: []},
    {name: 'one of two that is left', before: [by('a'), by('b')], after: [by('b')], want: []},
    {name: 'one more', before: [by('a')], after: [by('a'), by('b')], want: []},
    {name: 'a first signature', before: [], after: [by('a')], want: []},
    {name: 'no signature any more', before: [by('a')], after: [], want: []},
  ])('is judged by what is stated: $name', ({before, after, want}) => {
    const changes = signerChanges('x/app', {signatures: before}, {signatures: after}, () => true)
    expect(changes.map(({predicateType}) => predicateType)).toEqual(want)
  })

  it('is that of an image as well, by its name', () => {
    const image = (key: string) => ({images: [{image: 'x/main:v1', digest: 'd', signatures: [by(key)]}]})
    expect(signerChanges('x/app', image('a'), image('b'), () => true)).toEqual([
      {
        ...{package: 'x/app', image: 'x/main:v1', predicateType: SIGN, isAssigned: false},
        ...{before: [{key: 'a'}], after: [{key: 'b'}]},
      },
    ])
  })

  it('is the decision of a policy that does not trust the signer before', () => {
    const trusts = (_name: string, signer: object) => !('key' in signer && signer.key === 'a')
    const [change] = signerChanges('x/app', {signatures: [by('a')]}, {signatures: [by('b')]}, trusts)
    expect(change?.isAssigned).toBe(true)
  })
})
