import {beforeAll, describe, expect, it} from '@jest/globals'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {delimiter, join} from 'node:path'
import {load} from 'js-yaml'
import {executable} from '../../scripts/release/executable.js'
import {fetchNode, nodeFiles} from '../../scripts/release/fetch-node.js'
import {archiveName, thisPlatform} from '../../scripts/release/platforms.js'
import {startScript} from '../../scripts/release/start-script.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingTool} from '../missing-tool.js'
import {LOOPBACK, privateAuthority} from '../private-authority.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'
import {type EmptyRoot, emptyRoot} from './empty-root.js'
import {describeImage} from './describe-image.js'
import {builtCopy, makeReleaseOf, REVISION, ROOT, run} from './made-release.js'
import {expectAsFromSources, pathWith} from './through-kubectl.js'

const platform = thisPlatform()
const missing =
  platform?.os === 'linux'
    ? missingTool(
        'kubectl',
        'npm',
        'tar',
        'unshare',
        'ldd',
        'skopeo',
        'umoci',
        'dpkg-deb',
        ...DOCKER_REGISTRY_TOOLS,
      )
    : 'no Linux for which there are releases'
/** Those of the image. */
const LINUX = ['linux/amd64', 'linux/arm64'].flatMap(name => ['--platform', name])
const FIXTURE = join(ROOT, 'test/testdata/packages/cli-database')

describeReal('the release for this platform', missing, () => {
  const folder = temporaryFolder()
  const release = join(folder, 'release')
  const unpacked = join(folder, 'unpacked/kubectl-crossplane')
  const archive = archiveName(platform!)
  let copy = ''

  beforeAll(() => {
    makeReleaseOf(ROOT, LINUX, release)
    mkdirSync(join(folder, 'unpacked'))
    run('tar', ['-xzf', join(release, archive), '-C', join(folder, 'unpacked')], folder)
    copy = builtCopy(join(folder, 'copy/of the sources'))
    run(process.execPath, ['scripts/bundle.mjs'], copy)
  }, 600_000)

  it('is the same, to the byte, from another path and in another time zone', () => {
    const again = join(folder, 'again')
    makeReleaseOf(copy, LINUX, again, {TZ: 'Pacific/Kiritimati', LC_ALL: 'C'})
    const sums = (of: string) => readFileSync(join(of, 'checksums.txt'), 'utf8')
    expect(sums(again)).toBe(sums(release))
  }, 600_000)

  it('lists the checksums of all its files', () => {
    const listed = run('sha256sum', ['--check', 'checksums.txt'], release)
    const names = readdirSync(release).filter(name => name !== 'checksums.txt')
    expect(listed.trim().split('\n')).toEqual(names.sort().map(name => `${name}: OK`))
  })

  it('has the checksum of its archive in the krew manifest and in the formula', () => {
    const text = (name: string) => readFileSync(join(release, name), 'utf8')
    const [sum = ''] = text('checksums.txt')
      .split('\n')
      .find(line => line.endsWith(archive))!
      .split(' ')
    const {spec} = load(text('krew-manifest.yaml')) as {spec: {platforms: unknown}}
    expect(spec.platforms).toContainEqual(expect.objectContaining({sha256: sum}))
    expect(text('kubectl-crossplane.rb')).toContain(`sha256 "${sum}"`)
  })

  it('has an archive of the program, its completion and documents', () => {
    const lines = run('tar', ['-tvzf', join(release, archive), '--numeric-owner'], release)
      .trim()
      .split('\n')
    const entries = lines.map(line => line.replace(/ +\d+ (?=\d{4}-)/, ' '))
    expect(entries).toEqual([
      '-rw-r--r-- 0/0 2023-11-14 22:13 kubectl-crossplane/LICENSE',
      '-rw-r--r-- 0/0 2023-11-14 22:13 kubectl-crossplane/README.md',
      '-rw-r--r-- 0/0 2023-11-14 22:13 kubectl-crossplane/THIRD-PARTY-LICENSES',
      '-rwxr-xr-x 0/0 2023-11-14 22:13 kubectl-crossplane/kubectl-crossplane',
      '-rwxr-xr-x 0/0 2023-11-14 22:13 kubectl-crossplane/kubectl_complete-crossplane',
    ])
  })

  it('has the packages of the bundle in its SBOM, and no tools of developers', () => {
    const {components} = JSON.parse(readFileSync(join(release, 'kubectl-crossplane.cdx.json'), 'utf8')) as {
      readonly components: readonly {readonly name: string}[]
    }
    const names = components.map(({name}) => name)
    expect(names).toEqual(expect.arrayContaining(['@oclif/core', 'js-yaml', platform!.npm]))
    expect(names.filter(name => ['jest', 'typescript', 'esbuild', 'postject'].includes(name))).toEqual([])
  })

  describeImage(release, folder, REVISION)

  describe('with code that the first run compiles', () => {
    const bundle = () => readFileSync(join(copy, 'dist/bundle/kubectl-crossplane.cjs'), 'latin1')
    const forms: readonly {form: string; write: (path: string) => Promise<void> | void}[] = [
      {
        form: 'an executable, as for another platform',
        write: async (path: string) => {
          const node = join(folder, 'node')
          const {program} = await nodeFiles(platform!, fetchNode(platform!))
          writeFileSync(node, program, {mode: 0o755})
          writeFileSync(path, executable(node, {node: program, bundle: bundle(), engines: new Map()}), {
            mode: 0o755,
          })
        },
      },
      {
        form: 'Node beside the bundle, as on macOS',
        write: (path: string) => {
          const lib = join(path, '../lib')
          mkdirSync(lib)
          cpSync(join(ROOT, 'scripts/release/kubectl-crossplane.sh'), path)
          chmodSync(path, 0o755)
          symlinkSync(process.execPath, join(lib, 'node'))
          writeFileSync(join(lib, 'kubectl-crossplane.cjs'), bundle(), 'latin1')
          writeFileSync(join(lib, 'run.cjs'), startScript('run.cjs'))
        },
      },
    ]

    it.each(forms)(
      '$form keeps it for the user',
      async ({form, write}) => {
        const home = join(folder, `home-${forms.findIndex(each => each.form === form)}`)
        mkdirSync(home)
        const path = join(home, 'kubectl-crossplane')
        await write(path)
        const env = {XDG_CACHE_HOME: home}
        const caches = join(home, 'kubectl-crossplane-code')
        const rendered = {...(await runCli('package', 'render', FIXTURE)), signal: null}
        expect(await runProgram(path, ['package', 'render', FIXTURE], {env})).toEqual(rendered)
        const [name = ''] = readdirSync(caches)
        const {ino, size} = statSync(join(caches, name))
        expect(size).toBeGreaterThan(100_000)
        expect(await runProgram(path, ['package', 'render', FIXTURE], {env})).toEqual(rendered)
        expect(statSync(join(caches, name)).ino).toBe(ino)
        expect(await runProgram(path, ['version'], {env})).toEqual({
          ...(await runCli('version')),
          signal: null,
        })
        const {stdout} = await runProgram(path, ['doctor', '--offline'], {
          env: {...env, PATH: [home, process.env.PATH].join(delimiter)},
        })
        expect(stdout).toMatch(new RegExp(`^plugin +OK +${path}$`, 'm'))
      },
      180_000,
    )
  })

  describe('through kubectl', () => {
    const forms = [
      {
        form: 'the package of npm, installed into an empty prefix',
        install: (prefix: string) => {
          run(process.execPath, ['scripts/npm-package.mjs'], copy)
          run('npm', ['pack', '--silent', '--pack-destination', prefix, './dist/npm'], copy)
          const [tarball = ''] = readdirSync(prefix)
          // As npm does it, without the dependencies, which the bundle contains.
          const installed = join(prefix, 'lib/node_modules/kubectl-crossplane')
          mkdirSync(installed, {recursive: true})
          run('tar', ['-xzf', join(prefix, tarball), '--strip-components=1', '-C', installed], prefix)
          mkdirSync(join(prefix, 'bin'))
          symlinkSync(join(installed, 'bin/run.js'), join(prefix, 'bin/kubectl-crossplane'))
          return join(prefix, 'bin')
        },
      },
      {
        form: 'the archive, unpacked and linked as krew does it',
        install: (prefix: string) => {
          const store = join(prefix, 'store/crossplane/v0.1.0')
          cpSync(unpacked, store, {recursive: true})
          mkdirSync(join(prefix, 'bin'))
          symlinkSync(join(store, 'kubectl-crossplane'), join(prefix, 'bin/kubectl-crossplane'))
          return join(prefix, 'bin')
        },
      },
      {
        form: 'the executable alone',
        install: (prefix: string) => {
          cpSync(join(unpacked, 'kubectl-crossplane'), join(prefix, 'kubectl-crossplane'))
          return prefix
        },
      },
    ]

    it.each(forms)(
      '$form prints its version, renders and fails as from sources',
      async ({form, install}) => {
        const prefix = join(folder, `prefix-${forms.findIndex(each => each.form === form)}`)
        mkdirSync(prefix)
        await expectAsFromSources({PATH: pathWith(install(prefix)), HOME: prefix})
        // It was compiled before.
        expect(existsSync(join(prefix, '.cache/kubectl-crossplane-code'))).toBe(false)
      },
      180_000,
    )
  })

  describeCluster('current', 'in an empty root', cluster => {
    const start = dockerRegistries()
    let root: EmptyRoot
    let reference = ''
    const trust = ['--ca-file', '/etc/ssl/certs/ca-certificates.crt']
    const env = {KUBECONFIG: '/kubeconfig'}

    beforeAll(async () => {
      const authority = privateAuthority(folder)
      const {host} = await start({tls: authority.issue('registry', LOOPBACK)})
      reference = `${host}/example/cli-database:v0.2.0`
      root = emptyRoot(join(folder, 'root'), join(unpacked, 'kubectl-crossplane'))
      root.put(authority.certFile, '/etc/ssl/certs/ca-certificates.crt')
      root.put(cluster().kubeconfig, '/kubeconfig')
      root.put(FIXTURE, '/package')
    })

    it('prints its version and renders a package', async () => {
      expect(await root.run({}, 'version')).toEqual({...(await runCli('version')), signal: null})
      const args = ['--as-package', 'example/cli-database:v0.2.0']
      const {stdout} = await runCli('package', 'render', FIXTURE, ...args)
      expect(await root.run({}, 'package', 'render', '/package', ...args)).toMatchObject({status: 0, stdout})
    })

    it('pushes a package to a registry, installs it, shows its status and uninstalls it', async () => {
      const pushed = await root.run({}, 'package', 'push', reference, '/package', '--no-lint', ...trust)
      expect(pushed).toMatchObject({status: 0, stdout: expect.stringContaining('@sha256:')})
      const name = 'crossplane-system/example-cli-database'
      const install = [
        'package',
        'install',
        reference,
        '--with-package-api',
        '--create-namespace',
        '--no-wait',
        '--no-dependencies',
        '--yes',
        ...trust,
      ]
      expect(await root.run(env, ...install)).toMatchObject({status: 0})
      const status = await root.run(env, 'package', 'status', name)
      expect(status.stdout + status.stderr).toContain('cli-database')
      expect(await root.run(env, 'package', 'uninstall', name, '--yes')).toMatchObject({status: 0})
      expect(await root.run(env, 'package', 'list')).toMatchObject({status: 0, stdout: ''})
    }, 180_000)
  })
})
