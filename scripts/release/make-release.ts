import {createHash} from 'node:crypto'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {bundleProgram} from '../bundle/bundle-program.mjs'
import {tarGz, zip} from './archive.js'
import {type ArchiveParts, archiveFiles} from './archive-files.js'
import {bundledPackages} from './bundled-packages.js'
import {type NodeFiles, fetchNode, nodeFiles} from './fetch-node.js'
import {homebrewFormula} from './homebrew-formula.js'
import {type Released, krewManifest} from './krew-manifest.js'
import {NODE_VERSION, type Platform, archiveName, platformName, thisPlatform} from './platforms.js'
import {type Product, sbom} from './sbom.js'
import {thirdPartyLicenses} from './third-party-licenses.js'

/** What is released, and where. */
export interface ReleaseOptions {
  /** The folder of package.json, with the program built. */
  readonly root: string
  /** The folder that the files are written into; it is emptied. */
  readonly output: string
  readonly platforms: readonly Platform[]
  /** The time of all files, in seconds since 1970. */
  readonly time: number
  /** The address below which the archives will be found. */
  readonly address: string
  readonly homepage: string
  /** Takes a line that says what was done. */
  readonly report: (line: string) => void
}

interface Package extends Product {
  readonly files: Readonly<Record<string, string>>
}

/** Writes the files of a release. A platform whose Node cannot be had is reported and left out. */
export async function makeRelease(options: ReleaseOptions): Promise<void> {
  const {root, output, report} = options
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package
  const work = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-release-'))
  try {
    const {parts, packages} = await archiveParts(root, work)
    rmSync(output, {recursive: true, force: true})
    mkdirSync(output, {recursive: true})
    const released: Released[] = []
    for (const platform of options.platforms) {
      const node = await nodeOf(platform, report)
      if (node !== undefined) released.push(await writeArchive(options, parts, platform, node))
    }
    if (released.length === 0) throw new Error('no archive was made')
    writeDescriptions(options, product, packages, released)
  } finally {
    rmSync(work, {recursive: true, force: true})
  }
}

async function archiveParts(root: string, work: string) {
  const platform = thisPlatform()
  if (platform === undefined)
    throw new Error(`there is no release for ${process.platform}/${process.arch}, on which one could be made`)
  const node = await nodeFiles(platform, fetchNode(platform))
  const host = {path: join(work, 'node'), platform}
  writeFileSync(host.path, node.program, {mode: 0o755})
  const {inputs} = await bundleProgram(root, join(work, 'kubectl-crossplane.cjs'))
  const packages = bundledPackages(root, Object.keys(inputs))
  if (node.license === undefined) throw new Error(`${platform.npm} does not contain the license of Node`)
  const text = Buffer.from(node.license).toString()
  const licenses = thirdPartyLicenses(packages, {version: NODE_VERSION, text})
  const bundle = readFileSync(join(work, 'kubectl-crossplane.cjs'), 'latin1')
  return {parts: {root, bundle, thirdPartyLicenses: licenses, host}, packages}
}

async function nodeOf(platform: Platform, report: (line: string) => void): Promise<NodeFiles | undefined> {
  let path
  try {
    path = fetchNode(platform)
  } catch (error) {
    report(`${platformName(platform)} is left out: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
  return await nodeFiles(platform, path)
}

async function writeArchive(
  {output, time, report}: ReleaseOptions,
  parts: ArchiveParts,
  platform: Platform,
  node: NodeFiles,
): Promise<Released> {
  const files = archiveFiles(parts, platform, node)
  const archive = platform.os === 'windows' ? zip(files, time) : await tarGz(files, time)
  const name = archiveName(platform)
  writeFileSync(join(output, name), archive)
  report(`${name}: ${(archive.length / 1e6).toFixed(1)} MB`)
  return {platform, sha256: sha256(archive)}
}

/** Writes what describes the archives, and the checksums of everything. */
function writeDescriptions(
  {root, output, time, address, homepage}: ReleaseOptions,
  product: Product,
  packages: ReturnType<typeof bundledPackages>,
  released: readonly Released[],
): void {
  const template = readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')
  const platforms = released.map(({platform}) => platform)
  const documents = {
    'kubectl-crossplane.cdx.json': sbom(product, packages, platforms, time),
    'kubectl-crossplane.rb': homebrewFormula({...product, homepage}, address, released),
    'krew-manifest.yaml': krewManifest(template, product.version, address, released),
  }
  const sums = released.map(({platform, sha256: sum}) => [archiveName(platform), sum])
  for (const [name, text] of Object.entries(documents)) {
    writeFileSync(join(output, name), text)
    sums.push([name, sha256(Buffer.from(text))])
  }
  const lines = sums.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`)
  writeFileSync(join(output, 'checksums.txt'), lines.join(''))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
