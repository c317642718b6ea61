import {describe, expect, it} from '@jest/globals'
import {expectNothingNew} from '../../../src/pipeline/git/git-change.js'

const owner = {identity: 'x/as', groups: ['x.example.org']}
const signer = {
  package: 'x/as',
  predicateType: 'https://sigstore.dev/cosign/sign/v1',
  before: [{key: 'sha256:1'}],
  after: [{key: 'sha256:2'}],
  isAssigned: false,
}

describe('a commit without a prompt', () => {
  it.each([
    {
      name: 'new owners',
      change: {firstOwners: [owner], signers: []},
      want: /new owners .*: x\/as of x\.example\.org/,
    },
    {
      name: 'other signers',
      change: {firstOwners: [], signers: [signer]},
      want: /the signer of x\/as changes from /,
    },
  ])('is rejected because of $name', ({change, want}) => {
    expect(() => {
      expectNothingNew(change)
    }).toThrow(want)
  })

  it('is made if the policy decides on the signer', () => {
    expectNothingNew({firstOwners: [], signers: [{...signer, isAssigned: true}]})
  })
})
