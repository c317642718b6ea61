import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, symlinkSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {builtProgram} from '../../../test/built-program.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'

const ROOT = resolve(import.meta.dirname, '../../..')
const folder = temporaryFolder()
const checkout = join(folder, 'checkout')
const prefix = join(folder, 'prefix')
/** As npm installs it into a prefix, beside its dependencies. */
const installed = join(prefix, 'node_modules/kubectl-crossplane')

/** Links the dependencies, but not the packages of this repository. */
function linkDependencies(modules: string): void {
  mkdirSync(modules, {recursive: true})
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && !name.startsWith('kubectl-crossplane'))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
}

function run(command: string, args: readonly string[], cwd: string): string {
  const {status, stdout, stderr} = spawnSync(command, args, {cwd, encoding: 'utf8'})
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

beforeAll(() => {
  const program = dirname(dirname(builtProgram()))
  for (const path of ['bin', 'dist', 'oclif.manifest.json'])
    cpSync(join(program, path), join(checkout, path), {recursive: true})
  for (const path of ['plugins/trace/src', 'plugins/trace/package.json', 'plugins/trace/tsconfig.json'])
    cpSync(join(ROOT, path), join(checkout, path), {recursive: true})
  for (const path of ['scripts/build.mjs', 'package.json', 'tsconfig.json', 'LICENSE'])
    cpSync(join(ROOT, path), join(checkout, path))
  linkDependencies(join(checkout, 'node_modules'))
  run(process.execPath, ['scripts/build.mjs', '--plugins'], checkout)
  run('npm', ['pack', '--silent', '--pack-destination', folder], checkout)
  mkdirSync(installed, {recursive: true})
  const archive = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed], folder)
  linkDependencies(join(prefix, 'node_modules'))
}, 300_000)

describe.each([
  {name: 'a checkout', program: join(checkout, 'bin/run.js')},
  {name: 'an empty prefix', program: join(installed, 'bin/run.js')},
])('the program in $name', ({program}) => {
  const runBin = (...argv: readonly string[]) => runProgram(process.execPath, [program, ...argv])

  it('shows trace in its help', async () => {
    expect(await runBin('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ {2}trace +Trace the objects that an object depends on$/m),
      stderr: '',
    })
    expect(await runBin('trace', '-h')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('kubectl crossplane trace TYPE NAME [flags]'),
      stderr: '',
    })
  })

  it('runs trace, whose failures exit with 7', async () => {
    const kubeconfig = join(folder, 'none')
    expect(await runBin('trace', 'bucket', 'a', '--kubeconfig', kubeconfig)).toMatchObject({
      status: 7,
      stderr: expect.stringMatching(/^Error: cannot read the kubeconfig /),
    })
  })

  it('explains a missing argument of trace', async () => {
    expect(await runBin('trace', 'bucket')).toMatchObject({
      status: 2,
      stderr: 'Error: missing argument NAME\nTry: kubectl crossplane trace --help\n',
    })
  })
})
