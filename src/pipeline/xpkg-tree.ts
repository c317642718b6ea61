import type {Diagnostic} from '../diagnostic.js'
import type {PackagePorts} from '../locate/located-package.js'
import {present} from '../present.js'
import type {Budget} from '../resolve/solver/solver.js'
import type {SelectedXpkg} from '../resolve/xpkg/resolve-xpkgs.js'
import {derivedName} from '../xpkg/package-name.js'
import {xpkgClosure, type XpkgQuery} from './xpkg-closure.js'

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

/** Resolves the dependencies of a package as `xpkgClosure` does. */
export async function xpkgTree(
  query: XpkgQuery,
  ports: PackagePorts,
  budget: Budget,
): Promise<XpkgTree | undefined> {
  const closure = await xpkgClosure(query, ports, budget)
  if (closure === undefined) return undefined
  const {root, packages, notes} = closure
  return {root, packages: packages.map(treePackage), notes}
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
