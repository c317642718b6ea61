import {describe, expect, it} from '@jest/globals'
import type {KnownCommands} from '../../../src/cli/shell/known-commands.js'
import {usageFailure} from '../../../src/cli/shell/usage-failure.js'

/** Errors as oclif 4 makes them; what its parser makes of whole command lines is in test/commands/usage.test.ts. */
describe('usageFailure', () => {
  it.each([
    {
      name: 'a command',
      reason: 'oclif joins the words by colons',
      in: {message: 'command package:rendr:x not found'},
      want: 'unknown command "package rendr x"',
    },
    {
      name: 'a command for help',
      reason: 'oclif has another sentence there',
      in: {message: 'Command package rendr not found.'},
      want: 'unknown command "package rendr"',
    },
    {
      name: 'missing arguments',
      reason: 'its list is a table with a note that is not true',
      in: {
        message: 'Missing 2 required args:\nimage  The image.\nname',
        args: [{name: 'image'}, {name: 'name'}],
      },
      want: 'missing arguments IMAGE and NAME',
    },
    {
      name: 'arguments too many',
      reason: 'they come as plain words',
      in: {message: 'Unexpected arguments: a, b\nSee more help with --help', args: ['a', 'b']},
      want: 'unexpected arguments "a" and "b"',
    },
    {
      name: 'one relation of flags',
      reason: 'under a heading, in color',
      in: {
        message:
          'The following error occurred:\n  \u001B[2m--a cannot be with --b\u001B[22m\nSee more help with --help',
      },
      want: '--a cannot be with --b',
    },
    {
      name: 'mutually exclusive flags',
      reason: 'whatever their values',
      in: {
        message:
          'The following error occurred:\n  \u001B[2m--offline=true cannot also be provided when using --no-cache\u001B[22m\nSee more help with --help',
      },
      want: '--offline and --no-cache are mutually exclusive',
    },
    {
      name: 'several missing flags',
      reason: 'one fault has one message',
      in: {message: 'The following errors occurred:\n  Missing required flag a\n  Missing required flag b'},
      want: 'missing flags --a and --b',
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

describe('the suggestions of usageFailure', () => {
  const RENDER_FLAGS = {
    ...{declaration: {}, api: {env: 'CROSSPLANE_API'}, output: {char: 'o'}, 'output-dir': {}},
    ...{'allow-pruning': {}, 'assume-no-instances': {}, 'force-conflicts': {}, 'dry-run': {}, namespace: {}},
  }
  const commands: KnownCommands = {
    ids: [
      'cache list',
      'package list',
      'package render',
      'package tree',
      'package uninstall',
      'package upgrade',
      'registry index add',
      'template test',
      'version',
    ],
    checks: [],
    flagsOf: id => (id === 'package render' ? RENDER_FLAGS : {}),
  }
  const failure = (message: string, argv: readonly string[], more: object = {}) =>
    usageFailure(Object.assign(new Error(message), more), argv, commands)

  it.each([
    {in: ['packge', 'render', './x'], want: 'kubectl crossplane package render ./x'},
    {in: ['package', 'rendr', './x', '-o', 'json'], want: 'kubectl crossplane package render ./x -o json'},
    {in: ['package', 'rendr'], want: 'kubectl crossplane package render'},
    {in: ['verison'], want: 'kubectl crossplane version'},
    {in: ['registry', 'idnex', 'add', 'a b'], want: "kubectl crossplane registry index add 'a b'"},
    {in: ['rendr', './x'], want: 'kubectl crossplane package render ./x'},
    {in: ['render', './x'], want: 'kubectl crossplane package render ./x'},
    {in: ['package', 'frobnicate'], want: 'kubectl crossplane package --help'},
    {in: ['package', 'cache', 'list'], want: 'kubectl crossplane cache list'},
    {in: ['package', 'index', 'add', './x'], want: 'kubectl crossplane registry index add ./x'},
    {in: ['cache', 'render', './x'], want: 'kubectl crossplane package render ./x'},
    {in: ['package', 'cache', 'lst', './x'], want: 'kubectl crossplane cache list ./x'},
    {in: ['package', 'cache', 'frobnicate'], want: 'kubectl crossplane cache --help'},
    {in: ['package', 'version'], want: 'kubectl crossplane version'},
    {in: ['registry', 'list'], want: 'kubectl crossplane registry --help'},
    {in: ['registry', 'tree'], want: 'kubectl crossplane registry --help'},
    {in: ['get', 'packages'], want: 'kubectl crossplane package list'},
    {in: ['get', 'pods'], want: 'kubectl crossplane package list'},
    {in: ['get', 'providers', 'x'], want: 'kubectl crossplane package list'},
    {in: ['template', './x'], want: 'kubectl crossplane package render ./x'},
    {in: ['template', 'tst', './x'], want: 'kubectl crossplane template test ./x'},
    {in: ['package', 'delete', 'x'], want: 'kubectl crossplane package uninstall x'},
    {in: ['pakage'], want: 'kubectl crossplane package --help'},
    {in: ['regstry', 'frobnicate'], want: 'kubectl crossplane registry --help'},
    {in: ['frobnicate'], want: 'kubectl crossplane --help'},
  ])('for $in: $want', ({in: argv, want}) => {
    const words = argv.filter(word => !word.startsWith('-') && word !== 'json')
    expect(failure(`command ${words.join(':')} not found`, argv).suggestions).toEqual([want])
  })

  it.each([
    {in: ['package', 'rendr', 'x'], want: 'package rendr'},
    {in: ['install', 'x'], want: 'install'},
    {in: ['registry', 'index', 'ad', 'x'], want: 'registry index ad'},
  ])('names the words of $in that no command has', ({in: argv, want}) => {
    expect(failure(`command ${argv.join(':')} not found`, argv).message).toBe(`unknown command "${want}"`)
  })

  it.each([
    {in: ['./x', '--outptu', 'json'], flag: '--outptu', want: './x --output json'},
    {in: ['./x', '--ouput-dir=a b'], flag: '--ouput-dir', want: "./x '--output-dir=a b'"},
    {in: ['./x', '--out', 'json'], flag: '--out', want: './x --output json'},
    {in: ['./x', '--output-d', 'out'], flag: '--output-d', want: './x --output-dir out'},
    {in: ['./x', '--dry'], flag: '--dry', want: './x --dry-run'},
    {in: ['./x', '--force'], flag: '--force', want: '--help'},
    {in: ['./x', '--force-c'], flag: '--force-c', want: '--help'},
    {in: ['./x', '--force-conflict'], flag: '--force-conflict', want: './x --force-conflicts'},
    {in: ['./x', '--assume'], flag: '--assume', want: '--help'},
    {in: ['./x', '--all'], flag: '--all', want: '--help'},
    {in: ['./x', '--name', 'y'], flag: '--name', want: '--help'},
    {in: ['./x', '--frobnicate'], flag: '--frobnicate', want: '--help'},
    {in: ['-f', 'a.yaml'], flag: '-f', want: '--declaration a.yaml'},
    {in: ['./x', '-A'], flag: '-A', want: '--help'},
  ])('for $flag: $want', ({in: args, flag, want}) => {
    const argv = ['package', 'render', ...args]
    expect(failure(`Nonexistent flag: ${flag}`, argv, {flags: [flag]})).toEqual({
      message: `unknown flag "${flag}"`,
      suggestions: [`kubectl crossplane package render ${want}`],
    })
  })

  it.each([
    {value: 'manifests', want: './x --output-dir manifests'},
    {value: 'test', want: './x --output-dir test'},
    {value: 'trees', want: './x --output-dir trees'},
    {value: 'wide', want: './x -o yaml'},
    {value: 'tabel', want: './x -o yaml'},
    {value: 'markdwon', want: './x -o yaml'},
    {value: 'table-of-contents', want: './x --output-dir table-of-contents'},
    {value: 'txt', want: './x -o yaml'},
    {value: 'xml', want: './x -o yaml'},
    {value: '', want: './x -o yaml'},
    {value: 'jsonpath={.items}', want: './x -o yaml'},
    {value: 'jsn', want: './x -o json'},
    {value: 'yml', want: './x -o yaml'},
  ])('for -o $value: $want', ({value, want}) => {
    const message = `Expected --output=${value} to be one of: yaml, json, name`
    expect(failure(message, ['package', 'render', './x', '-o', value]).suggestions).toEqual([
      `kubectl crossplane package render ${want}`,
    ])
  })

  it.each([
    {in: ['--output=wide'], want: '--output=text'},
    {in: ['-owide'], want: '-otext'},
    {in: ['--output', 'wide'], want: '--output text'},
  ])('keeps the form of $in', ({in: words, want}) => {
    const message = 'Expected --output=wide to be one of: text, json'
    expect(failure(message, ['package', 'tree', './x', ...words]).suggestions).toEqual([
      `kubectl crossplane package tree ./x ${want}`,
    ])
  })

  it.each([
    {value: 'cluster', want: 'package render ./x --scope Cluster'},
    {value: 'frobnicate', want: 'package render --help'},
  ])('corrects the value $value of another flag', ({value, want}) => {
    const message = `Expected --scope=${value} to be one of: Cluster, Namespaced`
    const {suggestions} = failure(message, ['package', 'render', './x', '--scope', value])
    expect(suggestions).toEqual([`kubectl crossplane ${want}`])
  })

  it('shows changes of packages with the command that has --watch', () => {
    const argv = ['package', 'list', '-A', '-w']
    const {suggestions} = failure('Nonexistent flag: -w', argv, {flags: ['-w']})
    expect(suggestions).toEqual(['kubectl crossplane package status -A -w'])
  })

  it('names an install with its namespace where a command has no --namespace', () => {
    const argv = ['package', 'upgrade', 'sql', '-n', 'team', '--yes']
    const {suggestions} = failure('Nonexistent flag: -n', argv, {flags: ['-n']})
    expect(suggestions).toEqual(['kubectl crossplane package upgrade team/sql --yes'])
  })

  it('names the variable that has an invalid value', () => {
    const message = 'Expected --api=x to be one of: packages, stacks'
    const environment = failure(message, ['package', 'render', './x'])
    const flag = failure(message, ['package', 'render', './x', '--api', 'x'])
    expect([environment.message, flag.message]).toEqual([
      'invalid CROSSPLANE_API "x": must be one of packages or stacks',
      'invalid --api "x": must be one of packages or stacks',
    ])
  })
})
