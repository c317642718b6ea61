import {describe, expect, it} from '@jest/globals'
import type {KnownCommands} from '../../../src/cli/shell/known-commands.js'
import {namedVariables, suggestedVariables} from '../../../src/cli/shell/named-variables.js'

const commands: KnownCommands = {
  ids: ['package render'],
  checks: [],
  flagsOf: () => ({
    'default-source': {env: 'CROSSPLANE_SOURCE'},
    platform: {env: 'CROSSPLANE_PLATFORM'},
    index: {env: 'CROSSPLANE_INDEX'},
    output: {char: 'o'},
    offline: {type: 'boolean', env: 'CROSSPLANE_OFFLINE'},
  }),
}

describe('the variable of a wrong value', () => {
  it.each([
    {
      name: 'in place of its flag',
      in: 'invalid --default-source "x y"',
      env: {CROSSPLANE_SOURCE: 'x y'},
      want: 'invalid CROSSPLANE_SOURCE "x y"',
    },
    {
      name: 'after its value',
      in: 'invalid platform "foo"',
      env: {CROSSPLANE_PLATFORM: 'foo'},
      want: 'invalid platform "foo" (CROSSPLANE_PLATFORM)',
    },
    {name: 'without the value', in: 'invalid platform "foo"', env: {CROSSPLANE_PLATFORM: 'bar'}},
    {
      name: 'when the flag is written',
      in: 'invalid platform "foo"',
      args: ['--platform=foo'],
      env: {CROSSPLANE_PLATFORM: 'foo'},
    },
    {name: 'when it is empty', in: 'invalid index ""', env: {CROSSPLANE_INDEX: ''}},
    {
      name: 'in place of its flag, without others that have the value',
      in: 'invalid --default-source "linux"',
      env: {CROSSPLANE_SOURCE: 'linux', CROSSPLANE_PLATFORM: 'linux'},
      want: 'invalid CROSSPLANE_SOURCE "linux"',
    },
    {
      name: 'only where the message is about its flag',
      in: 'package "foo" not found',
      env: {CROSSPLANE_PLATFORM: 'foo'},
    },
    {name: 'for no value of a switch', in: 'no such tag "1"', env: {CROSSPLANE_OFFLINE: '1'}},
    {
      name: 'for a switch that it turns on',
      in: 'x/y:v1 is not in the cache, and --offline was given',
      env: {CROSSPLANE_OFFLINE: '1'},
      want: 'x/y:v1 is not in the cache, and CROSSPLANE_OFFLINE is set',
    },
    {name: 'of a longer flag', in: 'missing --index-file', env: {CROSSPLANE_INDEX: 'x'}},
  ])('is named $name', ({in: message, args = [], env, want = message}) => {
    expect(namedVariables(message, ['package', 'render', ...args], commands, env)).toBe(want)
  })
})

describe('the variable to unset', () => {
  it.each([
    {in: 'Leave out --offline.', env: {CROSSPLANE_OFFLINE: '1'}, want: 'Unset CROSSPLANE_OFFLINE.'},
    {
      in: 'Pull it once without --offline: kubectl crossplane package pull x/y:v1',
      env: {CROSSPLANE_OFFLINE: 'true'},
      want: 'Pull it once without CROSSPLANE_OFFLINE: kubectl crossplane package pull x/y:v1 --offline=false',
    },
    {
      in: 'Check the value of --platform.',
      env: {CROSSPLANE_PLATFORM: 'x'},
      want: 'Check the value of CROSSPLANE_PLATFORM.',
    },
    {
      in: 'Pass --index, or leave out --platform.',
      env: {CROSSPLANE_PLATFORM: 'x'},
      want: 'Pass --index, or unset CROSSPLANE_PLATFORM.',
    },
    {in: 'Pass --index FILE.', env: {CROSSPLANE_INDEX: 'x'}, want: 'Pass --index FILE.'},
    {
      in: 'Leave out --offline.',
      args: ['--offline'],
      env: {CROSSPLANE_OFFLINE: '1'},
      want: 'Leave out --offline.',
    },
    {
      in: 'Leave out --offline, and unset CROSSPLANE_OFFLINE.',
      env: {CROSSPLANE_OFFLINE: '1'},
      want: 'Leave out --offline, and unset CROSSPLANE_OFFLINE.',
    },
  ])('is named: $want', ({in: suggestion, args = [], env, want}) => {
    expect(suggestedVariables(suggestion, ['package', 'render', ...args], commands, env)).toBe(want)
  })
})
