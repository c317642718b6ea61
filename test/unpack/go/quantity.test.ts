import {describe, expect, it} from '@jest/globals'
import {canonicalQuantity} from '../../../src/unpack/go/quantity.js'

// What k8s.io/apimachinery's resource.ParseQuantity(in).String() answers.
const canonical: readonly [given: string, want: string][] = [
  ['0', '0'],
  ['-0', '0'],
  ['0.5', '500m'],
  ['1024Mi', '1Gi'],
  ['1e3', '1e3'],
  ['1.5Gi', '1536Mi'],
  ['0.5Ki', '512'],
  ['100Mi', '100Mi'],
  ['1000', '1k'],
  ['1500m', '1500m'],
  ['0.1', '100m'],
  ['0.0000000001', '1n'],
  ['1023', '1023'],
  ['1025Ki', '1025Ki'],
  ['-1.5Gi', '-1536Mi'],
  ['.5', '500m'],
  ['5e-3', '5e-3'],
  ['1.5e3', '1500'],
  ['0.3Gi', '322122547200m'],
  ['3.0001Gi', '3221332846182400u'],
  ['7.5Mi', '7680Ki'],
  ['12E', '12E'],
]

describe('canonicalQuantity', () => {
  it.each(canonical)('writes %s as %s', (given, want) => {
    expect(canonicalQuantity(given)).toBe(want)
  })

  it.each(['', '.', '1mi', '5K', '1e', '1_0', ' 1', 'one', '1 Gi', '0x10'])('rejects %j', text => {
    expect(canonicalQuantity(text)).toBeUndefined()
  })
})
