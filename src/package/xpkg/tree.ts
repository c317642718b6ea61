import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgClosure} from './closure.js'
import type {XpkgTree, XpkgTreePackage} from '../reports.js'

/** Returns the tree of resolved packages. */
export function xpkgTree({roots, packages, names, notes}: XpkgClosure): XpkgTree {
  return {
    roots: [...new Set(roots.map(({repository}) => repository))],
    packages: packages.map(selected => treePackage(selected, names)),
    notes,
  }
}

function treePackage(
  {repository, version, digest, kind, dependencies}: SelectedXpkg,
  names: XpkgClosure['names'],
): XpkgTreePackage {
  return {
    package: repository,
    version,
    ...present({digest: digest ?? (isDigest(version) ? version : undefined)}),
    kind,
    installsAs: names.get(repository) ?? '',
    requires: dependencies.map(dependency => ({
      package: dependency.package,
      kind: dependency.kind,
      constraint: dependency.version,
    })),
  }
}
