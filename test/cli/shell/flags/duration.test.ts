import {describe, expect, it} from '@jest/globals'
import {formatAge, parseDuration} from '../../../../src/cli/shell/flags/duration.js'

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]

describe('durations', () => {
  it.each([
    {in: '0s', want: 0},
    {in: '500ms', want: 500},
    {in: '1m500ms', want: MINUTE + 500},
    {in: '45s', want: 45 * SECOND},
    {in: '90m', want: 90 * MINUTE},
    {in: '12h', want: 12 * HOUR},
    {in: '30d', want: 30 * DAY},
    {in: '1d12h', want: 36 * HOUR},
  ])('read $in', ({in: text, want}) => {
    expect(parseDuration(text, '--flag')).toBe(want)
  })

  /** The limits are those of HumanDuration in k8s.io/apimachinery/pkg/util/duration. */
  it.each([
    {in: -5 * SECOND, want: '0s'},
    {in: 0, want: '0s'},
    {in: 119 * SECOND, want: '119s'},
    {in: 2 * MINUTE, want: '2m'},
    {in: 2 * MINUTE + SECOND, want: '2m1s'},
    {in: 10 * MINUTE - SECOND, want: '9m59s'},
    {in: 10 * MINUTE + SECOND, want: '10m'},
    {in: 3 * HOUR - SECOND, want: '179m'},
    {in: 3 * HOUR, want: '3h'},
    {in: 7 * HOUR + 30 * MINUTE, want: '7h30m'},
    {in: 8 * HOUR + 30 * MINUTE, want: '8h'},
    {in: 2 * DAY - SECOND, want: '47h'},
    {in: 2 * DAY, want: '2d'},
    {in: 7 * DAY + 5 * HOUR, want: '7d5h'},
    {in: 8 * DAY + 5 * HOUR, want: '8d'},
    {in: 729 * DAY, want: '729d'},
    {in: 730 * DAY, want: '2y'},
    {in: 731 * DAY, want: '2y1d'},
    {in: 8 * 365 * DAY + DAY, want: '8y'},
  ])('write $in ms as $want', ({in: milliseconds, want}) => {
    expect(formatAge(milliseconds)).toBe(want)
  })
})
