import {describe, expect, it} from '@jest/globals'
import type {KnownCommands, KnownFlag} from '../../../src/cli/shell/known-commands.js'
import {expectFlagsLast} from '../../../src/cli/shell/misplaced-flags.js'

const OF_LIST: Readonly<Record<string, KnownFlag>> = {context: {}, namespace: {char: 'n'}}
const COMMANDS: KnownCommands = {
  ids: ['package list', 'package render'],
  checks: [],
  flagsOf: id => (id === 'package list' ? OF_LIST : {}),
}

describe('expectFlagsLast', () => {
  it.each([
    {
      name: 'a flag before the noun',
      in: ['-n', 'team', 'package', 'list', '--context=a'],
      want: ['flags follow the command', 'kubectl crossplane package list -n team --context=a'],
    },
    {
      name: 'a flag before the verb',
      in: ['package', '--context', 'a', 'list', 'x'],
      want: ['flags follow the command', 'kubectl crossplane package list --context a x'],
    },
    {
      name: 'a flag that the command lacks',
      in: ['-v', '6', 'package', 'list'],
      want: ['unknown flag "-v"', 'kubectl crossplane package list --help'],
    },
    {
      name: 'a flag without a command',
      in: ['package', '--context=a'],
      want: ['missing command', 'kubectl crossplane package --help'],
    },
    {
      name: 'an unknown flag without a command',
      in: ['package', '--frobnicate'],
      want: ['unknown flag "--frobnicate"', 'kubectl crossplane package --help'],
    },
    {
      name: 'a flag before a command with a colon',
      in: ['-n', 'team', 'package:list', 'x'],
      want: ['flags follow the command', 'kubectl crossplane package list -n team x'],
    },
    {
      name: 'a flag before what follows two dashes',
      in: ['package', '--context', 'a', 'list', '--', 'x'],
      want: ['flags follow the command', 'kubectl crossplane package list --context a -- x'],
    },
  ])('rejects $name', ({in: argv, want: [message, suggestion]}) => {
    expect(() => expectFlagsLast(argv, COMMANDS)).toThrow(
      expect.objectContaining({code: 'usage', message, suggestions: [suggestion]}),
    )
  })

  it('accepts a noun alone', () => {
    expect(() => expectFlagsLast(['package'], COMMANDS)).not.toThrow()
    expect(() => expectFlagsLast(['package', '--', 'list'], COMMANDS)).not.toThrow()
  })
})
