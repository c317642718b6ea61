import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {locatePackage} from '../locate/locate-package.js'
import type {PackagePorts} from '../locate/located-package.js'
import {present} from '../present.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {parsePackageReference} from '../reference/package-reference.js'
import type {Budget} from '../resolve/solver/solver.js'
import {locatedXpkgs, xpkgContent} from '../resolve/xpkg/located-xpkgs.js'
import {resolveXpkgs, type SelectedXpkg} from '../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgCatalog, XpkgRoot} from '../resolve/xpkg/xpkg-catalog.js'
import {xpkgNotes} from '../resolve/xpkg/xpkg-notes.js'
import {quoted} from '../text.js'
import {coreRules} from '../xpkg/constraints/constraint-rules.js'
import {candidateVersion} from '../xpkg/constraints/version.js'
import {derivedName} from '../xpkg/package-name.js'

/** A package for a current Crossplane whose dependencies are resolved. */
export interface XpkgTreeQuery {
  readonly reference: string
  /** The version of Crossplane; without one, the packages have to fit together under the rules of all versions. */
  readonly coreVersion?: string
}

/** All packages that a package requires, itself included. */
export interface XpkgTree {
  readonly root: string
  /** Breadth-first from the root. */
  readonly packages: readonly XpkgTreePackage[]
  readonly notes: readonly Diagnostic[]
}

export interface XpkgTreePackage {
  readonly package: string
  /** The tag or digest; empty for a local package. */
  readonly version: string
  readonly digest?: string
  readonly kind: string
  /** The name of its request. */
  readonly installsAs: string
  readonly requires: readonly {
    readonly package: string
    readonly kind: string
    readonly constraint: string
  }[]
}

/**
 * Resolves the dependencies of a package; undefined if it is not one for a current Crossplane. Throws `unresolvable` with
 * the requirements that cannot be satisfied together.
 */
export async function xpkgTree(
  {reference, coreVersion}: XpkgTreeQuery,
  ports: PackagePorts,
  budget: Budget,
): Promise<XpkgTree | undefined> {
  expectVersion(coreVersion)
  const read = await locatePackage(parsePackageReference(reference), {...ports, acceptsXpkg: true})
  if (read.xpkg === undefined) return undefined
  const root = rootOf(read.reference, read)
  const content = xpkgContent(read)
  const catalog = withRoot(locatedXpkgs(ports), root, () => content)
  const request = {roots: [root], rules: coreRules(coreVersion), ...present({coreVersion})}
  const result = await resolveXpkgs(request, catalog, budget)
  if (result.kind === 'rejected')
    throw new CrossplaneError('unresolvable', `cannot resolve the dependencies of ${read.name}`, {
      diagnostics: result.diagnostics,
      suggestions: ['Change one of these constraints, or use another version of a package that has one.'],
    })
  const {packages} = result
  return {root: root.repository, packages: packages.map(treePackage), notes: xpkgNotes(packages)}
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

function treePackage({repository, version, digest, kind, dependencies}: SelectedXpkg): XpkgTreePackage {
  return {
    package: repository,
    version,
    ...present({digest}),
    kind,
    installsAs: derivedName(repository),
    requires: dependencies.map(dependency => ({
      package: dependency.package,
      kind: dependency.kind,
      constraint: dependency.version,
    })),
  }
}
