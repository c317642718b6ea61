import {CrossplaneError, withSuggestions} from '../../errors.js'
import {expectFormat} from '../../locate/expect-format.js'
import {locateImage} from '../../locate/locate-image.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {withPackages} from '../../locate/package-sources.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {YankedVersion} from '../../index/summaries.js'
import {present} from '../../present.js'
import {escaped} from '../../text.js'
import {identityOf} from '../../reference/repository-name.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {NamedXpkg, XpkgCatalog, XpkgContent} from './xpkg-catalog.js'

/**
 * The packages for a current Crossplane in the folder of packages, and otherwise in their registries. @param offersYanked - whether a
 * registry lists a package of which an index yanked all versions that it has.
 */
export function locatedXpkgs(ports: PackagePorts, {offersYanked = false} = {}): XpkgCatalog {
  const located = async (name: ImageName) => await locateImage(name, ports)
  const {offers = () => true} = ports
  return {
    tags: async repository =>
      (await allTags(repository, ports, offersYanked)).filter(tag => offers(repository, tag)),
    read: async (repository, version, digest) => {
      const name = parsePackageImage(repository)
      if (isDigest(version)) return xpkgContent(await located({...name, digest: version}))
      const local = await localVersions(name, ports)
      // A version in the folder is read as it is: the caller compares its digest.
      const own = digest ?? ports.digestOf?.(repository, version)
      const pin = local.some(({tag}) => tag === version) ? {} : {digest: asDigest(own)}
      return xpkgContent(await located({...name, tag: version, ...present(pin)}))
    },
    digestOf: async (repository, tag) => {
      const name = parsePackageImage(repository)
      const local = await localVersions(name, ports)
      if (local.some(version => version.tag === tag)) return (await located({...name, tag})).digest
      return await new RemoteRepository(name, ports.remote).digestOf(tag)
    },
    narrowings: async repository => {
      const name = parseImageName(repository)
      return name === undefined ? [] : await narrowingsOf(name, ports)
    },
  }
}

/** Those of folders without a package too: reading them fails, so that they are passed over by name. */
async function allTags(
  repository: string,
  ports: PackagePorts,
  offersYanked: boolean,
): Promise<readonly string[]> {
  const offered = await offeredTags(repository, ports, offersYanked)
  const local = await localVersions(parsePackageImage(repository), ports)
  const empty = local.filter(({isEmpty}) => isEmpty === true).map(({tag}) => tag)
  return [...new Set([...offered, ...empty])]
}

async function offeredTags(
  repository: string,
  ports: PackagePorts,
  offersYanked: boolean,
): Promise<readonly string[]> {
  const name = parsePackageImage(repository)
  const listed = await listedTags(name, ports)
  // An index that yanked all of its versions offers none: the registry has them still.
  const isYanked = !offersYanked && (await indexedVersions(name, ports)).yanked.length > 0
  if (listed.length > 0 || isYanked) return listed
  return await new RemoteRepository(name, ports.remote).tags().catch((error: unknown) => {
    if (!(error instanceof CrossplaneError) || error.message.includes(repository)) throw error
    // A failed connection names only the host.
    throw withSuggestions(error, [], `cannot list the tags of ${repository}: ${error.message}`)
  })
}

async function localVersions(name: ImageName, {folder, defaultSource}: PackagePorts) {
  return (await folder?.versions(name, defaultSource)) ?? []
}

/** Where versions are listed, if not in the registry of the package, and what yanks hide there. */
async function narrowingsOf(name: ImageName, ports: PackagePorts): Promise<readonly string[]> {
  const local = withPackages(await localVersions(name, ports))
  if (local.length > 0) return ['only the folder of packages is read']
  const {offered, yanked} = await indexedVersions(name, ports)
  const hidden = yanked.map(({tag, reason}) => `${escaped(tag)} was yanked: ${escaped(reason)}`)
  if (offered.length > 0) return ['only versions in the index are considered', ...hidden]
  const mirror = new RemoteRepository(name, ports.remote).mirror()
  return mirror === undefined ? hidden : [...hidden, `it is read from its mirror ${mirror}`]
}

/** Returns the tags in the folder of packages, or else in indexes. */
export async function listedTags(name: ImageName, ports: PackagePorts): Promise<readonly string[]> {
  const local = withPackages(await localVersions(name, ports))
  return local.length > 0 ? local.map(({tag}) => tag) : await indexedTags(name, ports)
}

/** The tags that indexes have and do not yank. */
async function indexedTags(name: ImageName, ports: PackagePorts): Promise<readonly string[]> {
  return (await indexedVersions(name, ports)).offered
}

/** Returns the versions of packages that indexes yank, by repository; none of packages in the folder. */
export async function yankedXpkgs(
  packages: readonly (NamedXpkg & Pick<XpkgContent, 'digest'>)[],
  ports: PackagePorts,
): Promise<ReadonlyMap<string, readonly YankedVersion[]>> {
  const yanked = new Map<string, readonly YankedVersion[]>()
  // A package in a folder has no digest, and can have its path for a name.
  const images = packages.filter(({digest}) => digest !== undefined)
  await mapConcurrent(images, MAX_READS, async ({repository}) => {
    const name = parsePackageImage(repository)
    const local = withPackages(await localVersions(name, ports))
    if (local.length === 0) yanked.set(repository, (await indexedVersions(name, ports)).yanked)
  })
  return yanked
}

const MAX_READS = 8

interface IndexedVersions {
  readonly offered: readonly string[]
  readonly yanked: readonly YankedVersion[]
}

async function indexedVersions(name: ImageName, {indexes}: PackagePorts): Promise<IndexedVersions> {
  const identity = identityOf(name)
  const founds = await Promise.all(((await indexes?.()) ?? []).map(index => index.ofPackage(identity)))
  const yanked = founds.flatMap(one => one.yanked)
  const hidden = new Set(yanked.map(({tag, digest}) => `${tag}@${digest}`))
  const summaries = founds.flatMap(({summaries: own}) => own)
  const offered = summaries.filter(
    ({xpkg, tag, digest = ''}) => xpkg !== undefined && !hidden.has(`${tag}@${digest}`),
  )
  return {offered: [...new Set(offered.map(({tag}) => tag))], yanked}
}

function asDigest(text: string | undefined): `sha256:${string}` | undefined {
  return text !== undefined && isDigest(text) ? text : undefined
}

/** Errors of dependencies that keep the package from being resolved, though the core reads it. */
const UNRESOLVABLE = ['xpkg-dependency']

/** Reads what resolution needs. Throws `unsupported` for other packages, `package-invalid` for those with errors. */
export function xpkgContent(read: LocatedPackage): XpkgContent {
  const {name, files, folder, digest} = expectFormat(read, 'xpkg')
  const {xpkg, errors, problems} = examineXpkg(files)
  const failures = [...errors, ...problems.filter(({rule}) => UNRESOLVABLE.includes(rule))]
  if (xpkg === undefined || failures.length > 0) throw invalidPackage(name, failures, folder)
  const {kind, crossplane, dependencies, capabilities, formerImage, objects} = xpkg
  return {kind, dependencies, capabilities, objects, ...present({crossplane, digest, formerImage})}
}
