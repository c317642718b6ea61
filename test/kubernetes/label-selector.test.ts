import {describe, expect, it} from '@jest/globals'
import {labelSelectorText, matchesSelector, parseLabelSelector} from '../../src/kubernetes/label-selector.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const LABELS = {tier: 'control', 'example.org/team': 'a'}

describe('the selector of an object', () => {
  it.each<{in: JsonObject; want: string}>([
    {in: {}, want: ''},
    {in: {matchLabels: {app: 'a', tier: 'b'}}, want: 'app=a,tier=b'},
    {
      in: {
        matchLabels: {app: 'a'},
        matchExpressions: [
          {key: 'tier', operator: 'In', values: ['b', 'c']},
          {key: 'zone', operator: 'NotIn', values: ['d']},
          {key: 'example.org/team', operator: 'Exists'},
          {key: 'old', operator: 'DoesNotExist'},
          {key: 'size', operator: 'Unknown', values: ['1']},
        ],
      },
      want: 'app=a,tier in (b,c),zone notin (d),example.org/team,!old',
    },
  ])('is written as $want', ({in: selector, want}) => {
    expect(labelSelectorText(selector)).toBe(want)
  })
})

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
