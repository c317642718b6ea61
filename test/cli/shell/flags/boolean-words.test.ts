import {describe, expect, it} from '@jest/globals'
import {settleBooleans} from '../../../../src/cli/shell/flags/boolean-words.js'

const FLAGS = {
  yes: {type: 'boolean', char: 'y'},
  quiet: {type: 'boolean', char: 'q', aliases: ['silent']},
  namespace: {type: 'option', char: 'n'},
  message: {type: 'option'},
  'dry-run': {type: 'option', options: ['none', 'client'], bareValue: 'client'},
}
const settle = (words: readonly string[]) => {
  const {words: settled, off} = settleBooleans(words, FLAGS)
  return {words: settled, off: [...off]}
}

describe('settleBooleans', () => {
  it.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('reads --yes=%s as Go does', value => {
    expect(settle([`--yes=${value}`, 'a'])).toEqual({words: ['--yes', 'a'], off: []})
  })

  it.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('reads -y=%s as Go does', value => {
    expect(settle(['a', `-y=${value}`])).toEqual({words: ['a', '--yes=false'], off: ['yes']})
  })

  it.each(['', 'x', 'yes', 'no', 'on', 'off', 'client', '2', 'tRUE', 'true ', '=true'])(
    'rejects --yes=%s, as Go does',
    value => {
      expect(() => settle([`--yes=${value}`])).toThrow(expect.objectContaining({code: 'usage'}))
    },
  )

  it.each([
    {in: ['--yes', 'false'], word: 'false', flag: 'yes'},
    {in: ['-qy', 'true'], word: 'true', flag: 'yes'},
    {in: ['-y', '0'], word: '0', flag: 'yes'},
    {in: ['--yes', 'F'], word: 'F', flag: 'yes'},
    {in: ['a', '--silent', 'f', '--yes'], word: 'f', flag: 'quiet'},
    {in: ['--dry-run', 'false'], word: 'false', flag: 'dry-run'},
  ])('rejects $in, whose last word is meant as a value', ({in: words, word, flag}) => {
    const how = flag === 'dry-run' ? '--dry-run=none or --dry-run=client' : `--${flag} or --${flag}=false`
    expect(() => settle(words)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `"${word}" is not read as the value of --${flag}`,
        suggestions: [`Write ${how}.`, 'To pass it as an argument, write it before the flag.'],
      }),
    )
  })

  it.each([
    {
      name: 'true and false elsewhere',
      reason: 'they are arguments',
      in: ['false', '--yes=false', 'true', '-n', 'true', '--yes', '--', 'false'],
      want: {words: ['false', 'true', '-n', 'true', '--yes', '--', 'false'], off: []},
    },
    {
      name: 'a number after a flag',
      reason: 'it can be a revision',
      in: ['a', '--yes', '1'],
      want: {words: ['a', '--yes', '1'], off: []},
    },
    {
      name: 'a flag with a bare value',
      reason: 'another word is an argument',
      in: ['--dry-run', 'none', '--dry-run', 'b', '--dry-run=none', 'false'],
      want: {words: ['--dry-run', 'none', '--dry-run=client', 'b', '--dry-run=none', 'false'], off: []},
    },
    {
      name: 'letters in one word',
      reason: 'the last can have a value',
      in: ['-qy=0'],
      want: {words: ['-q', '--yes=false'], off: ['yes']},
    },
    {
      name: 'a letter with a value after others',
      reason: 'the rest is its value',
      in: ['-yn', 'q=0', '-yny=0'],
      want: {words: ['-n', 'q=0', '-y', '-ny=0'], off: []},
    },
    {
      name: 'an alias',
      reason: 'it is the same flag',
      in: ['-q', '--silent=false'],
      want: {words: ['--quiet=false'], off: ['quiet']},
    },
    {
      name: 'the value of another flag',
      reason: 'it is no flag',
      in: ['--message', '--yes=x', '--message=--yes=x', '-n', '-y=x'],
      want: {words: ['--message', '--yes=x', '--message=--yes=x', '-n', '-y=x'], off: []},
    },
    {
      name: 'words after --',
      reason: 'they are arguments',
      in: ['--yes=1', '--', '--yes=x', '-y=x'],
      want: {words: ['--yes', '--', '--yes=x', '-y=x'], off: []},
    },
    {
      name: 'the last of several words',
      reason: 'as in Go',
      in: ['--yes=false', '-y', '--quiet', '-q=F'],
      want: {words: ['-y', '--quiet=false'], off: ['quiet']},
    },
    {
      name: 'words of others',
      reason: 'the parser reports them',
      in: ['-', '-x=1', '--unknown=1', 'y=1', '--namespace'],
      want: {words: ['-', '-x=1', '--unknown=1', 'y=1', '--namespace'], off: []},
    },
  ])('$name: $reason', ({in: words, want}) => {
    expect(settle(words)).toEqual(want)
  })
})
