import {describe, expect, it} from '@jest/globals'
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {findPathPlugin} from '../../../src/cli/shell/path-plugin.js'
import {temporaryFolder} from '../../temporary-folder.js'

const folder = temporaryFolder()
const [first, second] = [join(folder, 'first'), join(folder, 'second')]
const PATH = ['relative', first, second].join(delimiter)

function program(path: string, mode = 0o755): void {
  writeFileSync(path, '')
  chmodSync(path, mode)
}

describe('a program on PATH that adds a command', () => {
  mkdirSync(first)
  mkdirSync(second)
  program(join(first, 'kubectl-crossplane-greet'))
  program(join(second, 'kubectl-crossplane-greet'))
  program(join(second, 'kubectl-crossplane-greet-all'))
  program(join(second, 'kubectl-crossplane-say_hello'))
  program(join(second, 'kubectl-crossplane-data'), 0o644)
  mkdirSync(join(second, 'kubectl-crossplane-folder'))

  it.each([
    {name: 'the first on PATH', in: ['greet', 'anna', '-x'], want: [first, 'greet', ['anna', '-x']]},
    {name: 'the longest name', in: ['greet', 'all', 'now'], want: [second, 'greet-all', ['now']]},
    {
      name: 'only words before flags',
      in: ['greet', '--all', 'all'],
      want: [first, 'greet', ['--all', 'all']],
    },
    {name: 'a word with a dash', in: ['say-hello'], want: [second, 'say_hello', []]},
  ] as const)('is found: $name', ({in: argv, want: [at, name, args]}) => {
    expect(findPathPlugin(argv, PATH)).toEqual({path: join(at, `kubectl-crossplane-${name}`), args})
  })

  it.each([
    {name: 'another word', in: ['meet']},
    {name: 'no command', in: ['--debug', 'greet']},
    {name: 'a file that is not executable', in: ['data']},
    {name: 'a folder', in: ['folder']},
    {name: 'a path', in: ['../first/kubectl-crossplane-greet']},
  ])('is not found: $name', ({in: argv}) => {
    expect(findPathPlugin(argv, PATH)).toBeUndefined()
  })
})
