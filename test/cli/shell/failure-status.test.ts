import {describe, expect, it} from '@jest/globals'
import {failureStatus} from '../../../src/cli/shell/exit-code.js'

describe('the status of a failure', () => {
  it.each([
    {name: 'a check of a plugin', status: 1, argv: ['trace', 'bucket', 'a'], want: 7},
    {name: 'usage of a check of a plugin', status: 2, argv: ['trace'], want: 2},
    {name: 'another command with a similar name', status: 1, argv: ['tracer'], want: 1},
    {name: 'a check of the program', status: 1, argv: ['package', 'status', 'a'], want: 7},
    {name: 'any other command', status: 1, argv: ['package', 'render', 'a'], want: 1},
  ])('of $name is $want', ({status, argv, want}) => {
    expect(failureStatus(status, argv, ['trace', 'package status'])).toBe(want)
  })
})
