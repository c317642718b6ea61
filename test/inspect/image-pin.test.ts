import {describe, expect, it} from '@jest/globals'
import {defaultPullPolicy, imagePin} from '../../src/inspect/image-pin.js'

const DIGEST = `sha256:${'0'.repeat(64)}`

describe('the pin of an image', () => {
  it.each([
    {name: 'digest', reason: 'names bytes', in: `a/b@${DIGEST}`, want: ['digest', 'IfNotPresent']},
    {
      name: 'tag and digest',
      reason: 'the digest counts',
      in: `a/b:latest@${DIGEST}`,
      want: ['digest', 'IfNotPresent'],
    },
    {name: 'tag', reason: 'can be moved', in: 'a/b:v1', want: ['tag', 'IfNotPresent']},
    {name: 'latest', reason: 'is moved', in: 'a/b:latest', want: ['latest', 'Always']},
    {name: 'no tag', reason: 'is latest', in: 'r.example.org:5000/b', want: ['none', 'Always']},
    {name: 'no image', reason: 'Kubernetes rejects it', in: 'A b', want: ['invalid', 'IfNotPresent']},
  ])('$name: $reason', ({in: image, want}) => {
    expect([imagePin(image), defaultPullPolicy(image)]).toEqual(want)
  })
})
