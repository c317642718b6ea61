import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {bundleProgram} from '../bundle/bundle-program.mjs'
import {bundledPackages} from '../bundle/bundled-packages.mjs'
import {RULE_WORKER} from '../bundle/rule-worker.mjs'
import {sitePaths} from '../bundle/site-files.mjs'
import {ENGINE_FILES, engineFile, engineLicenses} from '../bundle/engine-files.mjs'
import {thirdPartyLicenses} from '../bundle/third-party-licenses.mjs'
import {type ArchiveFile, tarGz, zip} from './archive.js'
import {type ArchiveParts, archiveFiles} from './archive-files.js'
import {type Described, sha256, writeDescriptions} from './descriptions.js'
import {engineModules} from './engine-modules.js'
import {type NodeFiles, fetchNode, nodeFiles} from './fetch-node.js'
import type {Released} from './krew-manifest.js'
import {NODE_VERSION, type Platform, archiveName, platformName, thisPlatform} from './platforms.js'
import {lockedPackages} from './locked-packages.js'
import type {Product} from './sbom.js'
import {writeImage} from './image/write-image.js'
import {releaseDiagnostics} from './verify-release.js'

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
  /** The commit, if it is known. */
  readonly revision?: string | undefined
  /** Whether to make the image, too. */
  readonly image: boolean
  /** The address of the only archive of Debian to download packages from. */
  readonly debian?: string | undefined
  /** Takes a line that says what was done. */
  readonly report: (line: string) => void
}

interface Package extends Product {
  readonly files: Readonly<Record<string, string>>
}

interface WrittenArchive extends Released {
  readonly files: readonly ArchiveFile[]
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
    const released: WrittenArchive[] = []
    for (const platform of options.platforms) {
      const node = await nodeOf(platform, report)
      if (node !== undefined) released.push(await writeArchive(options, parts, platform, node))
    }
    if (released.length === 0) throw new Error('no archive was made')
    const bundled = {packages: lockedPackages(root, packages), modules: engineModules(root)}
    const linux = released.filter(({platform}) => platform.os === 'linux')
    if (options.image && linux.length > 0) await writeImage(options, product, bundled, linux)
    await describe(options, product, bundled, released)
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
  const packages = bundledPackages(root, await bundleProgram(root, join(work, 'kubectl-crossplane.cjs')))
  if (node.license === undefined) throw new Error(`${platform.npm} does not contain the license of Node`)
  const text = Buffer.from(node.license).toString()
  const licenses = thirdPartyLicenses(packages, {
    engines: engineLicenses(root),
    node: {version: NODE_VERSION, text},
  })
  const engines = new Map<string, Uint8Array>([
    ...ENGINE_FILES.map(name => [name, readFileSync(engineFile(root, name))] as const),
    ...sitePaths(root).map(({name, path}) => [name, readFileSync(path)] as const),
    [RULE_WORKER, readFileSync(join(work, RULE_WORKER))],
  ])
  const bundle = readFileSync(join(work, 'kubectl-crossplane.cjs'), 'latin1')
  return {parts: {root, bundle, engines, thirdPartyLicenses: licenses, host}, packages}
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
): Promise<WrittenArchive> {
  const files = archiveFiles(parts, platform, node)
  const archive = platform.os === 'windows' ? zip(files, time) : await tarGz(files, time)
  const name = archiveName(platform)
  writeFileSync(join(output, name), archive)
  report(`${name}: ${(archive.length / 1e6).toFixed(1)} MB`)
  return {platform, sha256: sha256(archive), files}
}

/** Writes what describes the archives, and verifies all that was written. */
async function describe(
  {root, output, time, address, homepage}: ReleaseOptions,
  product: Product,
  bundled: Pick<Described, 'packages' | 'modules'>,
  released: readonly Released[],
): Promise<void> {
  const template = readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')
  writeDescriptions(output, {product, template, ...bundled, released, time, address, homepage})
  const platforms = released.map(({platform}) => platform)
  const diagnostics = await releaseDiagnostics(output, {product, ...bundled, platforms})
  if (diagnostics.length > 0) throw new Error(`the release is invalid:\n${diagnostics.join('\n')}`)
}
