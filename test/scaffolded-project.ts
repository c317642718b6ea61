import {beforeAll, expect, it} from '@jest/globals'
import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {findServer, missingServers} from './cluster/find-server.js'
import {serversOf} from './cluster/servers.js'
import {runTool} from './install-package.js'
import {missingTool} from './missing-tool.js'
import {describeReal} from './real-parts.js'
import {runProgram} from './run-program.js'

const ROOT = join(import.meta.dirname, '..')
/** The dependencies of a project that `package init --runner` writes, besides those of this repository. */
const TOOLS = ['@types/node', 'undici-types', 'typescript', 'esbuild', '@esbuild']

/** Where a project is, and what is installed into it. */
interface ScaffoldedProject {
  readonly folder: string
  /** The installed package of the program. */
  readonly installed: string
  /** The folder of the library, which is packed. */
  readonly library: string
}

/** Installs the dependencies of a project, as npm does: the installed program and the packed library, without a registry. */
function installDependencies({folder, installed, library}: ScaffoldedProject): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), {recursive: true})
  mkdirSync(join(modules, '@types'))
  for (const name of TOOLS) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of ['tsc', 'esbuild'])
    symlinkSync(join(ROOT, 'node_modules/.bin', name), join(modules, '.bin', name))
  symlinkSync(join(installed, 'bin/run.js'), join(modules, '.bin/kubectl-crossplane'))
  // It was packed and installed already; a link would have the dependencies of its own folder.
  cpSync(installed, join(modules, 'kubectl-crossplane'), {recursive: true})
  unpack(library, join(modules, 'kubectl-crossplane-services'), folder)
}

function unpack(packed: string, target: string, folder: string): void {
  const packs = join(folder, '..', `packed-${readdirSync(join(folder, '..')).length}`)
  mkdirSync(packs)
  mkdirSync(target)
  runTool('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packs, packed], folder)
  const [archive = ''] = readdirSync(packs)
  runTool('tar', ['-xzf', join(packs, archive), '-C', target, '--strip-components=1'], folder)
}

/** Writes the folder that KUBEBUILDER_ASSETS names, of the API server of this repository; returns its path. */
function assetsIn(folder: string): string {
  const assets = join(folder, 'assets')
  mkdirSync(assets)
  for (const server of serversOf({version: 'current'}))
    symlinkSync(findServer(server) ?? '', join(assets, server.name))
  return assets
}

const MISSING = missingServers({version: 'current'}) ?? missingTool('skopeo', 'tar')

/** Where the packed program is installed, and the checkout that it was packed from. */
interface Installed {
  readonly folder: string
  readonly checkout: string
  readonly installed: string
}

/** Describes a project that the installed program writes. */
export function describeProject({folder, checkout, installed}: Installed): void {
  describeReal('a provider that package init writes', MISSING, () => {
    const project = join(folder, 'provider-disk')
    const text = (path: string) => readFileSync(join(project, path), 'utf8')
    const npm = async (...words: readonly string[]) =>
      await runProgram('npm', ['run', '--silent', ...words], {
        cwd: project,
        env: {KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: join(folder, 'cache')},
      })
    const program = async (...argv: readonly string[]) =>
      await runProgram(process.execPath, [join(installed, 'bin/run.js'), ...argv], {cwd: folder})
    let assets = ''

    beforeAll(async () => {
      assets = assetsIn(folder)
      const object = {size_gb: 3, tags: [{key: "it's */ one"}], Encrypted: true, id: 'd-1', zone: 'a'}
      writeFileSync(
        join(folder, 'disk.json'),
        JSON.stringify({...object, $output: ['id'], $optional: ['zone', 'tags']}),
      )
      const names = [
        '--service',
        'Service',
        '--group',
        'disk.example.org',
        '--claim',
        'Disk.example.org/v1alpha1',
      ]
      const args = ['provider-disk', ...names, '--parameters', 'disk.json', '--runner', 'typescript']
      expect(await program('package', 'init', ...args)).toMatchObject({status: 0, stderr: ''})
      installDependencies({folder: project, installed, library: join(checkout, 'plugins/services')})
    }, 120_000)

    it('gets a new field by --update, and keeps the code of its author', async () => {
      const own = text('src/external.ts').replace('// The calls', '// Own code. The calls')
      writeFileSync(join(project, 'src/external.ts'), own)
      const field =
        '  properties:\n    speed:\n      description: The speed.\n      enum: [fast, slow]\n      type: string\n'
      writeFileSync(join(project, 'service.yaml'), text('service.yaml').replace('  properties:\n', field))
      const {status, stdout} = await program('package', 'init', 'provider-disk', '--update')
      expect({status, stdout}).toMatchObject({status: 0, stdout: expect.stringContaining('src/service.ts\n')})
      expect(text('src/service.ts')).toContain("  /** The speed. */\n  readonly speed?: 'fast' | 'slow'\n")
      expect(text('src/external.ts')).toBe(own)
      expect(await program('package', 'init', 'provider-disk', '--update')).toMatchObject({
        status: 0,
        stdout: '',
      })
    }, 60_000)

    it('has no problems then, and passes its tests, also those on a real API server', async () => {
      expect(await program('package', 'lint', './provider-disk', '--strict')).toMatchObject({status: 0})
      const {status, stdout, stderr} = await npm('test')
      const passed = [
        'serves a claim',
        'updates the external',
        'creates nothing twice',
        'deletes the external',
      ]
      expect({status, stdout, stderr}).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('# skipped 0'),
      })
      for (const name of passed) expect(stdout).toMatch(new RegExp(`ok \\d+ - ${name}`))
      expect(stdout + stderr).not.toMatch(/Warning|not ok/)
    }, 120_000)

    it('becomes an image without Docker, which contains its program in one file', async () => {
      const image = `oci:${join(folder, 'node')}:v0.1.0`
      // In place of an image of Node.js, which the script names.
      expect(await program('package', 'build', image, './provider-disk')).toMatchObject({status: 0})
      expect(text('package.json')).toContain('--from docker.io/library/node:22-slim')
      writeFileSync(
        join(project, 'package.json'),
        text('package.json').replace('docker.io/library/node:22-slim', image),
      )
      expect(await npm('image')).toMatchObject({status: 0})
      const layout = join(project, 'image')
      runTool('skopeo', ['copy', '--quiet', `oci:${layout}:v0.1.0`, `dir:${join(folder, 'copied')}`], folder)
      const app = join(folder, 'app')
      mkdirSync(app)
      const layers = (
        JSON.parse(readFileSync(join(folder, 'copied/manifest.json'), 'utf8')) as {layers: {digest: string}[]}
      ).layers
      const copied = layers.map(({digest}) => join(folder, 'copied', digest.replace('sha256:', '')))
      for (const layer of copied) runTool('tar', ['-xzf', layer, '-C', app], folder)
      const env = {KUBECONFIG: join(folder, 'no-kubeconfig'), HOME: folder}
      const {status, stderr} = await runProgram(process.execPath, [join(app, 'app/main.mjs')], {env})
      expect({status, stderr}).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^Error: cannot connect to a cluster.*\n(Try: .*\n)+$/),
      })
    }, 120_000)
  })
}
