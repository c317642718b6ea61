import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {XpkgClosure} from './xpkg-closure.js'

/** All packages for a current Crossplane that a request leads to. */
export interface XpkgTree {
  /** The requested repositories; the path of a local package. */
  readonly roots: readonly string[]
  /** Breadth-first from the roots. */
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

/** Returns the tree of resolved packages. */
export function xpkgTree({roots, packages, notes}: XpkgClosure): XpkgTree {
  return {
    roots: [...new Set(roots.map(({repository}) => repository))],
    packages: packages.map(treePackage),
    notes,
  }
}

function treePackage({repository, version, digest, kind, dependencies}: SelectedXpkg): XpkgTreePackage {
  return {
    package: repository,
    version,
    ...present({digest: digest ?? (isDigest(version) ? version : undefined)}),
    kind,
    installsAs: derivedName(repository),
    requires: dependencies.map(dependency => ({
      package: dependency.package,
      kind: dependency.kind,
      constraint: dependency.version,
    })),
  }
}
