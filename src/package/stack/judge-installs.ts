import type {PlanPolicies} from '../../inspect/policy/package-judge.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {formatImageName} from '../../reference/image-name.js'
import type {InstallSet, SetInstall} from '../../render/install-set.js'
import type {Part} from '../../render/render-part.js'
import type {RequestPolicy} from '../../pipeline/request/request-policy.js'
import type {SignedPackages} from '../../pipeline/signatures/signed-packages.js'

/** Throws `policy-refused` for what the policy of the team rejects; returns by what a plan is judged. */
export async function expectJudgedInstalls(
  parts: readonly Part[],
  rendered: InstallSet['objects'],
  signed: SignedPackages,
  {judge}: RequestPolicy,
): Promise<PlanPolicies | undefined> {
  if (judge === undefined) return undefined
  const {judgedInstall} = await import('../../inspect/policy/judged-install.js')
  const judged = parts.map(({install, objects}) => {
    const {namespace, name, package: selected} = install
    const own = rendered.filter(one => one.install?.namespace === namespace && one.install.name === name)
    const crds = objects.filter(({object}) => isCrd(object))
    const {signatures} = signed.get(selected?.identity ?? '') ?? {}
    return judgedInstall({install, objects: [...own, ...crds]}, signatures)
  })
  return await judge.expect(judged)
}

/** Returns the package of an install as the lock names it, for one that was located without a resolution. */
export function locatedAs(located: LocatedPackage, version: string): NonNullable<SetInstall['package']> {
  const {registry, path} = located.reference ?? {path: located.name}
  const identity = formatImageName({path, ...(registry === undefined ? {} : {registry})})
  const {tag = '', digest} = {...located.reference, ...located}
  const selected = {identity, tag, version, summaryHash: ''}
  return digest === undefined ? selected : {...selected, digest}
}
