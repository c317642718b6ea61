import {describe, expect, it} from '@jest/globals'
import {load} from 'js-yaml'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'semver'
import {krewManifest} from '../scripts/release/krew-manifest.js'
import {PLATFORMS} from '../scripts/release/platforms.js'

const root = join(import.meta.dirname, '..')
const template = readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')
const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string}

const address = `https://example.org/kubectl-crossplane/v${version}`
const sha256 = 'a'.repeat(64)
const released = PLATFORMS.map(platform => ({platform, sha256}))
const manifest = load(krewManifest(template, version, address, released)) as Manifest

interface Platform {
  readonly selector: {readonly matchLabels: Readonly<Record<string, string>>}
  readonly uri: string
  readonly sha256: string
  readonly files: readonly {readonly from: string; readonly to: string}[]
  readonly bin: string
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {readonly name: string}
  readonly spec: {
    readonly version: string
    readonly homepage: string
    readonly shortDescription: string
    readonly description: string
    readonly platforms: readonly Platform[]
  }
}

/** Pairs of os and arch that krew's own validation knows, and arm64, which it installs on besides. */
const known = ['linux', 'darwin', 'windows'].flatMap(os =>
  ['386', 'amd64', 'arm', 'arm64'].map(arch => `${os}/${arch}`),
)

function pairOf(platform: Platform): string {
  const {os, arch} = platform.selector.matchLabels
  return `${String(os)}/${String(arch)}`
}

/** What krew refuses, and what reviewers of its index send back, by field. See internal/index/validation in krew. */
function diagnosticsOf({apiVersion, kind, metadata, spec}: Manifest): readonly string[] {
  const pairs = spec.platforms.map(pairOf)
  const holds = {
    apiVersion: apiVersion === 'krew.googlecontainertools.github.com/v1alpha2',
    kind: kind === 'Plugin',
    name: /^[a-z0-9]+(-[a-z0-9]+)*$/.test(metadata.name),
    version: spec.version.startsWith('v') && parse(spec.version) !== null,
    homepage: spec.homepage.startsWith('https://'),
    shortDescription: /^[^\r\n]{1,49}[^.\r\n]$/.test(spec.shortDescription),
    description: isProse(spec.description),
    platforms: pairs.length > 0 && new Set(pairs).size === pairs.length,
  }
  const diagnostics = Object.entries(holds).flatMap(([field, held]) => (held ? [] : [field]))
  return [...diagnostics, ...spec.platforms.flatMap(platformDiagnostics)]
}

/** krew prints it to a terminal as it is, and warns about lines beyond 80 characters. */
function isProse(text: string): boolean {
  return text.trim() !== '' && text.split('\n').every(line => line.length <= 80)
}

function platformDiagnostics(platform: Platform): readonly string[] {
  const {uri, sha256, files, bin, selector} = platform
  const holds = {
    selector: known.includes(pairOf(platform)) && Object.keys(selector.matchLabels).length === 2,
    uri: uri.startsWith('https://'),
    sha256: /^[a-f0-9]{64}$/.test(sha256),
    files: files.length > 0 && files.every(({from, to}) => from !== '' && to !== ''),
    bin: bin === (selector.matchLabels.os === 'windows' ? 'kubectl-crossplane.exe' : 'kubectl-crossplane'),
  }
  return Object.entries(holds).flatMap(([field, held]) => (held ? [] : [`platforms.${field}`]))
}

function withSpec(changes: Partial<Manifest['spec']>): Manifest {
  return {...manifest, spec: {...manifest.spec, ...changes}}
}

function withPlatform(changes: Partial<Platform>): Manifest {
  return withSpec({
    platforms: manifest.spec.platforms.slice(0, 1).map(platform => ({...platform, ...changes})),
  })
}

describe('the krew manifest of a release', () => {
  it('is valid', () => {
    expect(diagnosticsOf(manifest)).toEqual([])
  })

  it('has the version of package.json, as its template has', () => {
    expect([manifest.spec.version, (load(template) as Manifest).spec.version]).toEqual([
      `v${version}`,
      `v${version}`,
    ])
  })

  it('has an archive for each platform', () => {
    expect(manifest.spec.platforms.map(({uri, bin}) => [uri.replace(`${address}/`, ''), bin])).toEqual([
      ['kubectl-crossplane-linux-amd64.tar.gz', 'kubectl-crossplane'],
      ['kubectl-crossplane-linux-arm64.tar.gz', 'kubectl-crossplane'],
      ['kubectl-crossplane-darwin-amd64.tar.gz', 'kubectl-crossplane'],
      ['kubectl-crossplane-darwin-arm64.tar.gz', 'kubectl-crossplane'],
      ['kubectl-crossplane-windows-amd64.zip', 'kubectl-crossplane.exe'],
      ['kubectl-crossplane-windows-arm64.zip', 'kubectl-crossplane.exe'],
    ])
  })

  it('is found as kubectl crossplane', () => {
    expect(manifest.metadata.name).toBe('crossplane')
  })
})

describe('a krew manifest', () => {
  it.each([
    {name: 'of another version of krew', in: {...manifest, apiVersion: 'krew.dev/v1'}, want: ['apiVersion']},
    {name: 'of another kind', in: {...manifest, kind: 'Receipt'}, want: ['kind']},
    {name: 'in camel case', in: {...manifest, metadata: {name: 'crossPlane'}}, want: ['name']},
    {name: 'without the v', in: withSpec({version: '0.1.0'}), want: ['version']},
    {name: 'of no semantic version', in: withSpec({version: 'v0.1'}), want: ['version']},
    {name: 'with a plain homepage', in: withSpec({homepage: 'http://example.org'}), want: ['homepage']},
    {
      name: 'with 51 characters',
      in: withSpec({shortDescription: 'x'.repeat(51)}),
      want: ['shortDescription'],
    },
    {name: 'with a full stop', in: withSpec({shortDescription: 'Renders.'}), want: ['shortDescription']},
    {name: 'with two lines', in: withSpec({shortDescription: 'Renders\nmuch'}), want: ['shortDescription']},
    {name: 'with a wide text', in: withSpec({description: `${'x '.repeat(41)}\n`}), want: ['description']},
    {name: 'without platforms', in: withSpec({platforms: []}), want: ['platforms']},
    {
      name: 'with a platform twice',
      in: withSpec({
        platforms: manifest.spec.platforms.slice(0, 1).flatMap(platform => [platform, platform]),
      }),
      want: ['platforms'],
    },
    {
      name: 'for a kernel as a label',
      in: withPlatform({selector: {matchLabels: {os: 'linux', arch: 'amd64', kernel: '6'}}}),
      want: ['platforms.selector'],
    },
    {
      name: 'for an unknown machine',
      in: withPlatform({selector: {matchLabels: {os: 'linux', arch: 'x86_64'}}}),
      want: ['platforms.selector'],
    },
    {
      name: 'over plain HTTP',
      in: withPlatform({uri: 'http://example.org/a.tar.gz'}),
      want: ['platforms.uri'],
    },
    {name: 'with an upper-case sum', in: withPlatform({sha256: 'A'.repeat(64)}), want: ['platforms.sha256']},
    {name: 'with an empty list of files', in: withPlatform({files: []}), want: ['platforms.files']},
    {name: 'with another program', in: withPlatform({bin: 'run.js'}), want: ['platforms.bin']},
  ])('is rejected with $name', ({in: candidate, want}) => {
    expect(diagnosticsOf(candidate)).toEqual(want)
  })
})
