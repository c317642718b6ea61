import {describe, expect, it} from '@jest/globals'
import {matchesSelector, parseLabelSelector} from '../../src/kubernetes/label-selector.js'

const LABELS = {tier: 'control', 'example.org/team': 'a'}

describe('a label selector', () => {
  it.each([
    {in: '', want: true},
    {in: 'tier=control', want: true},
    {in: 'tier==control, example.org/team = a', want: true},
    {in: 'tier=other', want: false},
    {in: 'tier!=control', want: false},
    {in: 'zone!=b', want: true},
    {in: 'tier in (control, data),zone notin (b)', want: true},
    {in: 'tier notin (control)', want: false},
    {in: 'zone in (b)', want: false},
    {in: 'tier', want: true},
    {in: 'zone', want: false},
    {in: '!zone', want: true},
    {in: '!tier', want: false},
  ])('$in: $want', ({in: text, want}) => {
    expect(matchesSelector(LABELS, parseLabelSelector(text))).toBe(want)
  })

  it.each(['a=b=c', 'tier in control', 'a in (b', 'a,,b', '=b', 'a in (b c)'])('%s is invalid', text => {
    expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({code: 'usage'}))
  })
})
