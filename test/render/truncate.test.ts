import {describe, expect, it} from '@jest/globals'
import {truncate} from '../../src/render/truncate.js'

const long = 'a-very-long-package-install-name-that-goes-past-every-limit-th'
const dotted = `rook.${'x'.repeat(40)}.${'y'.repeat(12)}`

// What the original made of these names, and the package design's own example of its rule.
const cases = [
  {reason: 'what fits stays', text: 'rook', length: 52, want: 'rook'},
  {reason: 'so does what just fits', text: long, length: 62, want: long},
  {
    reason: 'a Deployment reserves space for its suffix',
    text: long,
    length: 52,
    want: 'a-very-long-package-install-name-that-goes-pas-3fqn7',
  },
  {
    reason: 'a namespace in a claim',
    text: 'a-namespace-of-sixty-three-characters-0123456789-0123456789-012',
    length: 32,
    want: 'a-namespace-of-sixty-three-d7tuk',
  },
  {
    reason: 'a claim of both',
    text: `a-namespace-of-sixty-three-d7tuk-${long}`,
    length: 63,
    want: 'a-namespace-of-sixty-three-d7tuk-a-very-long-package-inst-njguy',
  },
  {reason: 'a dot at the end is removed', text: dotted, length: 52, want: `rook.${'x'.repeat(40)}-wgj5r`},
  {
    reason: 'a dot in the middle is kept',
    text: `team-a-${dotted}`,
    length: 63,
    want: `team-a-rook.${'x'.repeat(40)}.yyyy-azxlw`,
  },
]

describe('truncate', () => {
  it.each(cases)('$reason', ({text, length, want}) => {
    expect(truncate(text, length)).toBe(want)
  })

  it('removes every trailing dot', () => {
    expect(truncate('.'.repeat(70), 63)).toMatch(/^-[a-z2-7]{5}$/)
    expect(truncate(`a${'.'.repeat(70)}`, 63)).toMatch(/^a-[a-z2-7]{5}$/)
  })

  it('distinguishes texts with the same prefix', () => {
    const [first, second] = ['1', '2'].map(end => truncate('x'.repeat(63) + end, 63))
    expect(first).not.toBe(second)
  })
})
