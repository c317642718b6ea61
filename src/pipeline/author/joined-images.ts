import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Image} from '../../fetch/image.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {indexOf} from '../../fetch/oci-parts.js'
import {choosePlatform, DEFAULT_PLATFORM, formatPlatform, type Platform} from '../../fetch/platform.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes} from '../../fetch/verified-bytes.js'
import {imageStoreOf} from '../../locate/image-store-of.js'
import type {PackageSources} from '../../locate/package-sources.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {asText} from '../../yaml/json-value.js'
import {builtImage, builtSource} from './built-image.js'

interface PlatformFile {
  readonly path: string
  readonly image: Image
  readonly platform: Platform
  readonly files: readonly PackageFile[]
}

/** The images of several platforms as one. */
export interface JoinedImages {
  readonly image: Image
  readonly warnings: readonly Diagnostic[]
}

/**
 * Reads packages for a current Crossplane that were built for one platform each, and lists them in an index, as
 * `crossplane xpkg push -f a.xpkg,b.xpkg` does. Throws `usage` for files that cannot be in one.
 */
export async function joinedImages(paths: readonly string[], sources: PackageSources): Promise<JoinedImages> {
  const files: PlatformFile[] = []
  for (const path of paths) files.push(await platformFile(path, sources))
  expectDifferent(files)
  const images = files.map(({image, platform}) => ({
    ...image,
    descriptor: {...image.descriptor, platform},
  }))
  return {image: indexOf(images, {}), warnings: [...contentWarnings(files), ...platformWarnings(files)]}
}

async function platformFile(path: string, sources: PackageSources): Promise<PlatformFile> {
  const source = builtSource(path)
  if (source === undefined)
    throw notJoined(path, 'it is not a built package', [
      'Build it first: kubectl crossplane package build --help',
    ])
  const {image, content} = await builtImage(await imageStoreOf(source, sources), undefined)
  if (content.xpkg === undefined)
    throw notJoined(path, 'it is not a package for a current Crossplane', [
      'Build packages of Crossplane v0.12 for several platforms by --from.',
    ])
  if (image.images !== undefined) throw notJoined(path, 'it is for several platforms already', [ONE_EACH])
  return {path, image, platform: await platformIn(image, path), files: content.files}
}

const ONE_EACH = 'Pass one file for each platform.'

/** The platform is that of the config; of a package without a program, it has none. */
async function platformIn({config}: Image, path: string): Promise<Platform> {
  const name = `the config of ${path}`
  const bytes =
    config === undefined ? undefined : await collectBytes(config.open(), SOURCE_LIMITS.manifestBytes, name)
  const {os, architecture} = bytes === undefined ? {} : parseJsonObject(bytes, name)
  if (asText(os) !== '' && asText(architecture) !== '')
    return {os: asText(os), architecture: asText(architecture)}
  throw notJoined(path, 'its image is for no platform', [
    'Build it with --embed-runtime-image: a package without a program is the same for all platforms, and pushed alone.',
  ])
}

function expectDifferent(files: readonly PlatformFile[]): void {
  for (const [at, {path, platform}] of files.entries()) {
    const name = formatPlatform(platform)
    const earlier = files.slice(0, at).find(other => formatPlatform(other.platform) === name)
    if (earlier !== undefined)
      throw notJoined(path, `it is for ${name}, as ${earlier.path} is`, ['Pass one file for each platform.'])
  }
}

/** Crossplane reads one of the packages, whatever the nodes are. */
function contentWarnings([first, ...others]: readonly PlatformFile[]): readonly Diagnostic[] {
  return others
    .filter(({files}) => first !== undefined && !isSame(files, first.files))
    .map(({path}) => ({
      severity: 'warning',
      rule: 'platform-content',
      message: `${path} and ${first?.path ?? ''} have different objects: Crossplane installs those for ${formatPlatform(DEFAULT_PLATFORM)} on all platforms`,
    }))
}

function isSame(some: readonly PackageFile[], others: readonly PackageFile[]): boolean {
  return (
    some.length === others.length &&
    some.every(({bytes}, at) => Buffer.compare(bytes, others[at]?.bytes ?? NONE) === 0)
  )
}

const NONE = new Uint8Array()

function platformWarnings(files: readonly PlatformFile[]): readonly Diagnostic[] {
  if (choosePlatform(files, DEFAULT_PLATFORM) !== undefined) return []
  const needed = formatPlatform(DEFAULT_PLATFORM)
  const message = `no file is for ${needed}: Crossplane cannot install the package, since it reads that image whatever the nodes are`
  return [{severity: 'warning', rule: 'platform-missing', message}]
}

function notJoined(path: string, cause: string, suggestions: readonly string[]): CrossplaneError {
  return new CrossplaneError('usage', `cannot push ${path} with other files: ${cause}`, {suggestions})
}
