import {describe, expect, it} from '@jest/globals'
import {cpSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {runProgram} from './run-program.js'
import {temporaryFolder} from './temporary-folder.js'

const SCRIPT = join(import.meta.dirname, '../scripts/release/kubectl-crossplane.sh')

/** Writes a program that prints its arguments. */
function writeEcho(path: string): void {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, '#!/bin/sh\necho "$*"\n', {mode: 0o755})
}

describe.each([
  {
    name: 'kubectl-crossplane',
    starts: 'lib/node',
    want: (home: string) => `${home}/lib/run.cjs a b c\n`,
  },
  {
    name: 'kubectl_complete-crossplane',
    starts: 'kubectl-crossplane',
    want: () => '__complete a b c\n',
  },
])('$name of an archive', ({name, starts, want}) => {
  const folder = temporaryFolder()
  const home = join(folder, 'store/of packages')
  writeEcho(join(home, starts))
  const program = join(home, name)
  cpSync(SCRIPT, program)
  mkdirSync(join(folder, 'bin'))
  symlinkSync(`../store/of packages/${name}`, join(folder, 'bin/relative'))
  symlinkSync(join(folder, 'bin/relative'), join(folder, 'absolute'))

  it.each([
    {name: 'by its path', path: program},
    {name: 'by a relative link', path: join(folder, 'bin/relative')},
    {name: 'by a link to a link', path: join(folder, 'absolute')},
  ])('starts $name, with an empty PATH', async ({path}) => {
    const result = await runProgram('/bin/sh', [path, 'a b', 'c'], {env: {PATH: ''}})
    const {stdout} = result
    expect({...result, stdout: stdout.replace('bin/../', '')}).toEqual({
      status: 0,
      signal: null,
      stdout: want(home),
      stderr: '',
    })
  })
})
