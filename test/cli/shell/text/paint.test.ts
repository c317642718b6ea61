import {afterEach, describe, expect, it} from '@jest/globals'
import {painter} from '../../../../src/cli/shell/text/paint.js'
import {setVariable} from '../../../set-variable.js'

const before = {isTTY: process.stderr.isTTY, NO_COLOR: process.env.NO_COLOR}

function terminal(isTTY: boolean, noColor?: string): void {
  Object.defineProperty(process.stderr, 'isTTY', {value: isTTY, configurable: true})
  setVariable('NO_COLOR', noColor)
}

afterEach(() => {
  terminal(before.isTTY, before.NO_COLOR)
})

const RED = '\u001B[31mno\u001B[39m'

describe('painter', () => {
  it.each([
    {name: 'a terminal', reason: 'the default', isTTY: true, argv: [], want: RED},
    {name: 'no terminal', reason: 'the default', isTTY: false, argv: [], want: 'no'},
    {
      name: 'a terminal with NO_COLOR',
      reason: 'no-color.org',
      isTTY: true,
      noColor: '1',
      argv: [],
      want: 'no',
    },
    {
      name: 'a terminal with an empty NO_COLOR',
      reason: 'no-color.org: only when not empty',
      isTTY: true,
      noColor: '',
      argv: [],
      want: RED,
    },
    {name: 'auto', reason: 'as the default', isTTY: true, argv: ['--color', 'auto'], want: RED},
    {
      name: 'auto without a terminal',
      reason: 'as the default',
      isTTY: false,
      argv: ['--color=auto'],
      want: 'no',
    },
    {name: 'never on a terminal', reason: 'requested', isTTY: true, argv: ['--color', 'never'], want: 'no'},
    {
      name: '=never on a terminal',
      reason: 'requested',
      isTTY: true,
      argv: ['x', '--color=never'],
      want: 'no',
    },
    {
      name: 'always without a terminal',
      reason: 'requested',
      isTTY: false,
      argv: ['--color', 'always'],
      want: RED,
    },
    {
      name: 'always with NO_COLOR',
      reason: 'a flag is nearer than the environment',
      isTTY: true,
      noColor: '1',
      argv: ['--color=always'],
      want: RED,
    },
    {
      name: 'an invalid choice',
      reason: 'the error about it is painted by the default',
      isTTY: true,
      argv: ['--color=blue'],
      want: RED,
    },
    {
      name: 'the last choice',
      reason: 'as parsers have it',
      isTTY: true,
      argv: ['--color=always', '--color=never'],
      want: 'no',
    },
  ])('$name: $reason', ({isTTY, noColor, argv, want}) => {
    terminal(isTTY, noColor)
    expect(painter(argv)('red', 'no')).toBe(want)
  })
})
