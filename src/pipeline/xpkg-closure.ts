import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {locatePackage} from '../locate/locate-package.js'
import type {PackagePorts} from '../locate/located-package.js'
import {present} from '../present.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {parsePackageImage, parsePackageReference} from '../reference/package-reference.js'
import type {Budget} from '../resolve/solver/solver.js'
import {locatedXpkgs, xpkgContent} from '../resolve/xpkg/located-xpkgs.js'
import {resolveXpkgs, type SelectedXpkg} from '../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgCatalog, XpkgRoot} from '../resolve/xpkg/xpkg-catalog.js'
import {xpkgNotes} from '../resolve/xpkg/xpkg-notes.js'
import {quoted} from '../text.js'
import {coreRules} from '../xpkg/constraints/constraint-rules.js'
import {candidateVersion} from '../xpkg/constraints/version.js'

/** A package for a current Crossplane whose dependencies are resolved. */
export interface XpkgQuery {
  readonly reference: string
  /** The identity of a local package. */
  readonly asPackage?: string
  /** The version of Crossplane; without one, the packages have to fit together under the rules of all versions. */
  readonly coreVersion?: string
}

/** A package and everything that it requires. */
export interface XpkgClosure {
  /** The repository of the package; of a local one its path. */
  readonly root: string
  /** Breadth-first from the root. */
  readonly packages: readonly SelectedXpkg[]
  /** The tags of the repositories that were listed. */
  readonly tags: ReadonlyMap<string, readonly string[]>
  /** What keeps Crossplane from installing the packages although all constraints hold. */
  readonly notes: readonly Diagnostic[]
}

/**
 * Resolves the dependencies of a package; undefined if it is not one for a current Crossplane. Throws `unresolvable` with
 * the requirements that cannot be satisfied together.
 */
export async function xpkgClosure(
  {reference, asPackage, coreVersion}: XpkgQuery,
  ports: PackagePorts,
  budget: Budget,
): Promise<XpkgClosure | undefined> {
  expectVersion(coreVersion)
  const identity = asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)}
  const options = {...ports, ...identity, acceptsXpkg: true}
  const read = await locatePackage(parsePackageReference(reference), options)
  if (read.xpkg === undefined) return undefined
  const root = rootOf(read.reference, read)
  const content = xpkgContent(read)
  const tags = new Map<string, readonly string[]>()
  const catalog = withRoot(listing(locatedXpkgs(ports), tags), root, () => content)
  const request = {roots: [root], rules: coreRules(coreVersion), ...present({coreVersion})}
  const result = await resolveXpkgs(request, catalog, budget)
  if (result.kind === 'rejected')
    throw new CrossplaneError('unresolvable', `cannot resolve the dependencies of ${read.name}`, {
      diagnostics: result.diagnostics,
      suggestions: ['Change one of these constraints, or use another version of a package that has one.'],
    })
  const {packages} = result
  return {root: root.repository, packages, tags, notes: xpkgNotes(packages)}
}

function expectVersion(coreVersion: string | undefined): void {
  if (coreVersion === undefined || candidateVersion(coreVersion, 'v3') !== undefined) return
  throw new CrossplaneError('usage', `--core-version ${quoted(coreVersion)} is not a version of Crossplane`, {
    suggestions: ['Use a complete version, such as v2.3.4.'],
  })
}

/** A package that is local has no repository: its path takes the place of one. */
function rootOf(
  reference: ImageName | undefined,
  {name, tag, digest}: {readonly name: string; readonly tag?: string; readonly digest?: string},
): Required<XpkgRoot> {
  if (reference === undefined) return {repository: name, version: ''}
  return {
    repository: formatImageName({path: reference.path, ...present({registry: reference.registry})}),
    version: reference.digest ?? reference.tag ?? tag ?? digest ?? '',
  }
}

/** The root is read once, and has the one version that was requested. */
function withRoot(
  catalog: XpkgCatalog,
  root: Required<XpkgRoot>,
  content: () => ReturnType<typeof xpkgContent>,
): XpkgCatalog {
  const isRoot = (repository: string) => repository === root.repository
  return {
    tags: async repository => (isRoot(repository) ? [root.version] : await catalog.tags(repository)),
    read: async (repository, version) =>
      isRoot(repository) && version === root.version ? content() : await catalog.read(repository, version),
  }
}

/** A catalog that keeps the tags that it lists. */
function listing(catalog: XpkgCatalog, listed: Map<string, readonly string[]>): XpkgCatalog {
  return {
    ...catalog,
    tags: async repository => {
      const tags = await catalog.tags(repository)
      listed.set(repository, tags)
      return tags
    },
  }
}
