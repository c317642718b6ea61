import {load} from 'js-yaml'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type ArchiveEntry, tarGzEntries, zipEntries} from './archive-entries.js'
import {CHECKSUMS, type Described, FORMULA, IMAGE, KREW_MANIFEST, SBOM, sha256} from './descriptions.js'
import {imageDiagnostics} from './image/verify-image.js'
import {NODE_VERSION, type Platform, archiveName, platformName} from './platforms.js'
import {isApplication, platformOfProgram} from './program-header.js'

/** What a release must contain. */
export type Expected = Pick<Described, 'packages' | 'modules' | 'product'> & {
  readonly platforms: readonly Platform[]
}

const DOCUMENTS = {LICENSE: 0o644, 'README.md': 0o644, 'THIRD-PARTY-LICENSES': 0o644}
const SCRIPTS = {'kubectl-crossplane': 0o755, 'kubectl_complete-crossplane': 0o755}
/** The modes of the files of an archive, by path below its folder. */
const FILES: Readonly<Record<Platform['os'], Readonly<Record<string, number>>>> = {
  darwin: {
    ...DOCUMENTS,
    ...SCRIPTS,
    'lib/engines.wasm.gz': 0o644,
    'lib/kubectl-crossplane.cjs': 0o644,
    'lib/node': 0o755,
    'lib/rule-worker.cjs': 0o644,
    'lib/run.cjs': 0o644,
    'lib/worker.cjs': 0o644,
  },
  linux: {...DOCUMENTS, ...SCRIPTS},
  windows: {...DOCUMENTS, 'kubectl-crossplane.exe': 0o755, 'kubectl_complete-crossplane.cmd': 0o644},
}
/** The file that is compiled. */
const BINARY = {darwin: 'lib/node', linux: 'kubectl-crossplane', windows: 'kubectl-crossplane.exe'}

interface KrewManifest {
  readonly spec: {
    readonly version: string
    readonly platforms: readonly {
      readonly selector: {readonly matchLabels: Readonly<Record<string, string>>}
      readonly uri: string
      readonly sha256: string
      readonly bin: string
    }[]
  }
}

interface Sbom {
  readonly metadata: {readonly component: {readonly version: string}}
  readonly components: readonly {readonly name: string; readonly version: string}[]
}

/** Returns what is wrong with a release, as it was written into a folder. */
export async function releaseDiagnostics(folder: string, expected: Expected): Promise<readonly string[]> {
  const diagnostics: string[] = []
  for (const platform of expected.platforms) {
    const name = archiveName(platform)
    if (!readdirSync(folder).includes(name)) diagnostics.push(`${name} is missing`)
    else diagnostics.push(...(await archiveDiagnostics(folder, platform)).map(each => `${name}: ${each}`))
  }
  return [
    ...diagnostics,
    ...checksumDiagnostics(folder),
    ...krewDiagnostics(folder, expected),
    ...formulaDiagnostics(folder, expected),
    ...sbomDiagnostics(folder, expected),
    ...(readdirSync(folder).includes(IMAGE) ? await imageDiagnostics(join(folder, IMAGE), expected) : []),
  ]
}

async function archiveDiagnostics(folder: string, platform: Platform): Promise<readonly string[]> {
  const archive = readFileSync(join(folder, archiveName(platform)))
  const entries = platform.os === 'windows' ? zipEntries(archive) : await tarGzEntries(archive)
  const modes = (files: readonly (readonly [path: string, mode: number])[]) =>
    files.map(([path, mode]) => `${path} with mode ${mode.toString(8)}`)
  const wanted = modes(
    Object.entries(FILES[platform.os]).map(([path, mode]) => [`kubectl-crossplane/${path}`, mode]),
  )
  const actual = modes(entries.map(({path, mode}) => [path, mode]))
  return [
    ...wanted.filter(each => !actual.includes(each)).map(each => `${each} is missing`),
    ...actual.filter(each => !wanted.includes(each)).map(each => `${each} is unexpected`),
    ...entries.filter(({content}) => content.length === 0).map(({path}) => `${path} is empty`),
    ...binaryDiagnostics(entries, platform),
  ]
}

function binaryDiagnostics(entries: readonly ArchiveEntry[], platform: Platform): readonly string[] {
  const path = `kubectl-crossplane/${BINARY[platform.os]}`
  const content = entries.find(entry => entry.path === path)?.content
  if (content === undefined) return []
  const actual = platformOfProgram(content) ?? 'an unknown platform'
  const isInjected = isApplication(content)
  return [
    ...(actual === platformName(platform) ? [] : [`${path} is a program for ${actual}`]),
    ...(isInjected || platform.os === 'darwin' ? [] : [`${path} does not contain the bundle`]),
    ...(isInjected && platform.os === 'darwin' ? [`${path} was changed, and its signature is void`] : []),
  ]
}

function checksumDiagnostics(folder: string): readonly string[] {
  const lines = readdirSync(folder)
    .filter(name => name !== CHECKSUMS)
    .sort()
    .map(name => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
  return textOf(folder, CHECKSUMS) === lines.join('') ? [] : [`${CHECKSUMS} does not match the files`]
}

function krewDiagnostics(folder: string, {product, platforms}: Expected): readonly string[] {
  const {spec} = load(textOf(folder, KREW_MANIFEST)) as KrewManifest
  const actual = spec.platforms.map(({selector, uri, sha256: sum, bin}) => {
    const {os = '', arch = ''} = selector.matchLabels
    return `${os}/${arch} ${uri.split('/').at(-1) ?? ''} ${sum} ${bin}`
  })
  const wanted = platforms.map(platform => {
    const bin = platform.os === 'windows' ? BINARY.windows : 'kubectl-crossplane'
    return `${platformName(platform)} ${archiveName(platform)} ${sumOf(folder, platform)} ${bin}`
  })
  return [
    ...(spec.version === `v${product.version}` ? [] : [`${KREW_MANIFEST} has the version ${spec.version}`]),
    ...wanted.filter(each => !actual.includes(each)).map(each => `${KREW_MANIFEST} does not list ${each}`),
    ...actual.filter(each => !wanted.includes(each)).map(each => `${KREW_MANIFEST} lists ${each}`),
  ]
}

function formulaDiagnostics(folder: string, {product, platforms}: Expected): readonly string[] {
  const formula = textOf(folder, FORMULA)
  const lines = platforms
    .filter(({os}) => os !== 'windows')
    .flatMap(platform => [`/${archiveName(platform)}"\n`, `sha256 "${sumOf(folder, platform)}"\n`])
  return [`version "${product.version}"\n`, ...lines]
    .filter(line => !formula.includes(line))
    .map(line => `${FORMULA} does not contain ${line.trim()}`)
}

function sbomDiagnostics(
  folder: string,
  {product, packages, modules, platforms}: Expected,
): readonly string[] {
  const {metadata, components} = JSON.parse(textOf(folder, SBOM)) as Sbom
  const listed = new Set(components.map(({name, version}) => `${name} ${version}`))
  const wanted = [
    ...[...packages, ...modules].map(({name, version}) => `${name} ${version}`),
    ...platforms.map(({npm}) => `${npm} ${NODE_VERSION}`),
  ]
  const {version} = metadata.component
  return [
    ...(version === product.version ? [] : [`${SBOM} has the version ${version}`]),
    ...wanted.filter(each => !listed.has(each)).map(each => `${SBOM} does not list ${each}`),
  ]
}

function sumOf(folder: string, platform: Platform): string {
  const name = archiveName(platform)
  return readdirSync(folder).includes(name) ? sha256(readFileSync(join(folder, name))) : ''
}

function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
