import {describe, expect, it} from '@jest/globals'
import {usageFailure} from '../../src/cli/usage-failure.js'

/** Errors as oclif 4 makes them; what its parser makes of whole command lines is in test/commands/usage.test.ts. */
describe('usageFailure', () => {
  it.each([
    {
      name: 'a command',
      reason: 'oclif joins the words by colons',
      in: {message: 'command package:rendr:x not found'},
      want: 'there is no command "package rendr x"',
    },
    {
      name: 'a command for help',
      reason: 'oclif has another sentence there',
      in: {message: 'Command package rendr not found.'},
      want: 'there is no command "package rendr"',
    },
    {
      name: 'missing arguments',
      reason: 'its list is a table with a note that is not true',
      in: {
        message: 'Missing 2 required args:\nimage  The image.\nname',
        args: [{name: 'image'}, {name: 'name'}],
      },
      want: 'IMAGE and NAME must be given',
    },
    {
      name: 'arguments too many',
      reason: 'they come as plain words',
      in: {message: 'Unexpected arguments: a, b\nSee more help with --help', args: ['a', 'b']},
      want: 'Unexpected arguments: a, b',
    },
    {
      name: 'one relation of flags',
      reason: 'under a heading, in colour',
      in: {
        message:
          'The following error occurred:\n  \u001B[2m--a cannot be with --b\u001B[22m\nSee more help with --help',
      },
      want: '--a cannot be with --b',
    },
    {
      name: 'flags that exclude each other',
      reason: 'whatever their values',
      in: {
        message:
          'The following error occurred:\n  \u001B[2m--offline=true cannot also be provided when using --no-cache\u001B[22m\nSee more help with --help',
      },
      want: '--offline and --no-cache exclude each other',
    },
    {
      name: 'two relations of flags',
      reason: 'one sentence holds both',
      in: {message: 'The following errors occurred:\n  --a is wrong\n  --b is wrong'},
      want: '--a is wrong; --b is wrong',
    },
  ])('$name: $reason', ({in: {message, ...rest}, want}) => {
    const error = Object.assign(new Error(message), rest)
    expect(usageFailure(error)).toEqual({message: want, suggestions: [expect.stringMatching(/--help/)]})
  })
})
