import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {writeCodeCaches} from '../scripts/bundle/code-cache.mjs'
import {builtProgram} from './built-program.js'
import {DATABASE} from './commands/fixtures.js'
import {runProgram} from './run-program.js'
import {temporaryFolder} from './temporary-folder.js'

const ROOT = join(import.meta.dirname, '..')
const folder = temporaryFolder()
const checkout = join(folder, 'checkout')
const prefix = join(folder, 'prefix')
/** As npm installs it into a prefix, but without its dependencies: they are in the bundle. */
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
  for (const path of ['scripts', 'examples', 'package.json', 'tsconfig.json', 'LICENSE'])
    cpSync(join(ROOT, path), join(checkout, path), {recursive: true})
  // What tells a checkout from an installed package.
  mkdirSync(join(checkout, 'src'))
  linkDependencies(join(checkout, 'node_modules'))
  run(process.execPath, ['scripts/build.mjs', '--plugins'], checkout)
  run(process.execPath, ['scripts/bundle.mjs'], checkout)
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], checkout)
  mkdirSync(installed, {recursive: true})
  const archive = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed], folder)
}, 300_000)

describe.each([
  {name: 'a checkout', program: join(checkout, 'bin/run.js')},
  {name: 'an empty prefix', program: join(installed, 'bin/run.js')},
])('the program in $name', ({program}) => {
  const runBin = (...argv: readonly string[]) =>
    runProgram(process.execPath, [program, ...argv], {env: {XDG_CACHE_HOME: join(folder, 'cache')}})

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

describe('the program in one file', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {commands: object}
  const commands = Object.keys(manifest.commands).map(id => id.split(':'))
  const RUNS = [
    ...[['trace'], [], ['package'], ['registry', 'index'], ...commands].flatMap(words => [
      [...words, '--help'],
      [...words, '-h'],
      ['help', ...words],
      [...words, '--no-such-flag'],
    ]),
    ['version', '-o', 'json'],
    ['--version'],
    ['packge', 'lint'],
    ['package', 'lnt'],
    ['package', 'render', '--helpp'],
    ['package', 'render', '-o', 'no-such-format', 'a'],
    ['package', 'render', join(ROOT, 'no-such-folder'), '-o', 'json'],
    ['trace'],
  ]

  /** Runs all command lines in one process. */
  const printed = async (entry: string, ...load: readonly string[]) => {
    const program = join(import.meta.dirname, 'print-runs.mjs')
    const args = [program, pathToFileURL(entry).href, JSON.stringify(RUNS), ...load]
    const {status, stdout, stderr} = await runProgram(process.execPath, args)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    return JSON.parse(stdout) as readonly {readonly argv: readonly string[]}[]
  }

  it('prints the help and the usage errors of the checkout', async () => {
    const own = await printed(join(installed, 'dist/bundle/kubectl-crossplane.cjs'))
    expect(own).toHaveLength(RUNS.length)
    expect(own).toEqual(await printed(join(checkout, 'dist/cli/main.js'), checkout))
  })

  /** Runs a command line; returns the modules of Node.js for HTTP, which the Kubernetes client imports first. */
  const httpModules = async (argv: readonly string[]) => {
    const program = join(installed, 'dist/bundle/kubectl-crossplane.cjs')
    const code = `require(${JSON.stringify(program)}).main(${JSON.stringify(argv)}).then(() =>
      console.error('modules: ' + process.moduleLoadList.filter(name => /^NativeModule (http|https|tls)$/.test(name)).join()))`
    const {stderr} = await runProgram(process.execPath, ['-e', code], {cwd: folder})
    return /^modules: (.*)$/m.exec(stderr)?.[1]
  }

  it.each([
    {name: 'version', argv: ['version']},
    {name: 'help', argv: ['--help']},
    {name: 'render', argv: ['package', 'render', ...DATABASE]},
    {name: 'lint', argv: ['package', 'lint', ...DATABASE]},
  ])('imports no Kubernetes client for $name', async ({argv}) => {
    expect(await httpModules(argv)).toBe('')
  })

  it('imports the modules for HTTP if a command requires them', async () => {
    expect(await httpModules(['package', 'versions', '127.0.0.1:9/a/b'])).toContain('NativeModule http')
  })

  const PACKAGES = join(ROOT, 'examples/platform/packages')
  const PROVIDER = join(PACKAGES, 'example/provider-cloud@v0.11.0')
  const COMMANDS: readonly {parts: number; argv: readonly string[]}[] = [
    {parts: 1, argv: ['version']},
    {parts: 1, argv: ['--help']},
    {parts: 1, argv: ['package', 'render', '--help']},
    {parts: 2, argv: ['package', 'tree', 'example/stack-starter', '--packages', PACKAGES]},
    {parts: 3, argv: ['package', 'lint', PROVIDER]},
    {parts: 3, argv: ['package', 'inspect', PROVIDER, '--as-package', 'example/provider-cloud:v0.11.0']},
    {parts: 3, argv: ['package', 'render', 'example/stack-starter', '--packages', PACKAGES]},
  ]

  /** Installs the program with the first parts of its bundle only; returns its path. */
  const withParts = (count: number) => {
    const copy = join(folder, `first-${count}`)
    cpSync(join(installed, 'bin'), join(copy, 'bin'), {recursive: true})
    const text = readFileSync(join(installed, 'dist/bundle/kubectl-crossplane.cjs'), 'latin1')
    const [index = '', head = ''] = text.split('\n', 2)
    const parts = JSON.parse(index.slice('// '.length)) as readonly {readonly length: number}[]
    const end = parts
      .slice(0, count)
      .reduce((sum, {length}) => sum + length + 2, index.length + head.length + 2)
    mkdirSync(join(copy, 'dist/bundle'), {recursive: true})
    writeFileSync(join(copy, 'dist/bundle/kubectl-crossplane.cjs'), text.slice(0, end), 'latin1')
    return join(copy, 'bin/run.js')
  }

  it.each(COMMANDS)('reads $parts parts of the bundle for $argv', async ({parts, argv}) => {
    const printedBy = async (program: string) =>
      await runProgram(process.execPath, [program, ...argv], {env: {XDG_CACHE_HOME: folder}})
    const all = await printedBy(join(installed, 'bin/run.js'))
    expect(all).toMatchObject({status: 0, stdout: expect.stringMatching(/./)})
    expect(await printedBy(withParts(parts))).toEqual(all)
    expect(await printedBy(withParts(parts - 1))).not.toEqual(all)
  })

  it('has code caches that do not depend on the folder', () => {
    const bundled = join(installed, 'dist/bundle')
    const copy = join(folder, 'elsewhere')
    mkdirSync(copy)
    cpSync(join(bundled, 'kubectl-crossplane.cjs'), join(copy, 'kubectl-crossplane.cjs'))
    writeCodeCaches(process.execPath, join(copy, 'kubectl-crossplane.cjs'))
    const names = readdirSync(copy).filter(name => name.endsWith('.code-cache'))
    expect(names).toHaveLength(6)
    for (const name of names)
      expect(readFileSync(join(copy, name)).equals(readFileSync(join(bundled, name)))).toBe(true)
  })

  it('has the licenses of what it contains', () => {
    const licenses = readFileSync(join(installed, 'dist/bundle/THIRD-PARTY-LICENSES'), 'utf8')
    for (const name of ['@oclif/core', 'js-yaml', '@kubernetes/client-node', 'simple-git'])
      expect(licenses).toContain(`${name} `)
  })
})
