import type {PackagePorts} from '../../locate/located-package.js'
import type {Budget} from '../../resolve/solver/solver.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import {renderXpkgs} from '../../render/xpkg/render-xpkgs.js'
import {referenceClosure, type XpkgQuery} from '../xpkg/reference-closure.js'

/** Renders the set of a package for a current Crossplane; undefined for another package. Throws as its parts do. */
export async function renderXpkg(
  query: XpkgQuery,
  settings: XpkgSettings,
  ports: PackagePorts,
  budget: Budget,
): Promise<XpkgSet | undefined> {
  const closure = await referenceClosure(query, ports, budget)
  if (closure === undefined) return undefined
  const root = closure.roots[0]?.repository ?? ''
  return renderXpkgs({...closure, root}, settings, closure.conflicts)
}
