import type {PackageJudge, PlanPolicies} from '../../inspect/policy/package-judge.js'
import {judgedXpkg} from '../../inspect/policy/judged-xpkg.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {JudgedPackage} from '../../inspect/policy/judged-package.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {XpkgClosure} from './closure.js'
import {expandedPackages} from './expand.js'

/** Packages for a current Crossplane as they are rendered. */
interface RenderedXpkgs {
  readonly closure: Pick<XpkgClosure, 'packages' | 'names' | 'roots' | 'locked'>
  readonly set: Pick<XpkgSet, 'objects'>
  readonly settings: Pick<XpkgSettings, 'pin' | 'own'>
}

/**
 * Judges packages by what Crossplane creates for them. Throws `policy-refused`. Returns by what a plan is judged.
 * @param repositories - those to judge; by default, all.
 */
export async function expectJudgedXpkgs(
  rendered: RenderedXpkgs,
  judge: PackageJudge,
  ports: PackagePorts,
  repositories?: ReadonlySet<string>,
): Promise<PlanPolicies | undefined> {
  const judged = await judgedXpkgs(rendered, ports)
  return await judge.expect(judged.filter(({pkg}) => repositories?.has(pkg.repository) ?? true))
}

/** Returns what rules see of packages for a current Crossplane. */
export async function judgedXpkgs(
  {closure, set, settings}: RenderedXpkgs,
  ports: PackagePorts,
): Promise<readonly JudgedPackage[]> {
  const roots = new Set(closure.roots.map(({repository}) => repository))
  const expanded = await expandedPackages(closure, set, settings, ports)
  return closure.packages.map(selected => {
    const {repository} = selected
    const objects = expanded.get(repository) ?? []
    const isRequested = roots.has(repository)
    const {signatures} = closure.locked.find(own => own.repository === repository) ?? {}
    return judgedXpkg({selected, name: closure.names.get(repository) ?? '', isRequested, objects}, signatures)
  })
}
