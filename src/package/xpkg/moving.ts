import type {MovingRequest} from '../../declaration/moving.js'
import {joinedPolicies} from '../../inspect/policy/plan-policies.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {present} from '../../present.js'
import {
  expectDeclaredSources,
  movingObjects,
  movingPackage,
  withObjects,
} from '../../render/xpkg/moving-objects.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import {expectSource} from '../../resolve/packages/source-policy.js'
import {locatedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import {lockedXpkgs} from '../../resolve/xpkg/locked-xpkg.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {RecognizedRequest} from '../format.js'
import type {JudgedXpkgSet} from '../rendered-sets.js'
import {signedXpkgs, type XpkgClosure} from './closure.js'
import {withTrustedRuntimes} from './trusted-runtimes.js'

/** What decides about the packages of a set. */
interface Judging {
  readonly policy: Pick<RecognizedRequest['policy'], 'judge' | 'teams'>
  readonly settings: Pick<XpkgSettings, 'pin' | 'mirrors'>
  readonly packages: PackagePorts
}

/**
 * Adds what stays of former requests to a set, once their packages were judged as those of the set are. Throws `input-invalid` for a source
 * that the declaration does not name, `policy-refused` and `signature-refused`.
 */
export async function withJudgedMoving(
  set: JudgedXpkgSet,
  moving: readonly MovingRequest[],
  {policy: {judge, teams}, settings, packages: ports}: Judging,
): Promise<JudgedXpkgSet> {
  expectDeclaredSources(moving, settings.mirrors ?? {})
  const named = moving.flatMap(one => movingPackage(one) ?? [])
  for (const {repository} of named) expectSource(repository, teams)
  // Without a policy, nothing of a registry that may be gone is read.
  const isRead = judge !== undefined || ports.remote.trust !== undefined
  const packages = isRead ? await selectedOf(named, ports) : []
  const kept = await withTrustedRuntimes({objects: movingObjects(moving), warnings: []}, {packages}, ports)
  const signed = await signedXpkgs(packages, ports)
  const names = new Map(moving.map(one => [movingPackage(one)?.repository ?? '', one.from]))
  const roots = named.map(({repository}) => ({repository}))
  const locked = lockedXpkgs(packages, roots).map(own => ({...own, ...signed.get(own.repository)}))
  const closure: Pick<XpkgClosure, 'packages' | 'names' | 'roots' | 'locked'> = {
    packages,
    names,
    roots,
    locked,
  }
  const ofMoving =
    judge === undefined
      ? undefined
      : await (
          await import('./judge.js')
        ).expectJudgedXpkgs({closure, set: kept, settings: {pin: settings.pin}}, judge, ports)
  const planPolicies = joinedPolicies([set.planPolicies, ofMoving])
  return {...withObjects(set, kept.objects), ...present({planPolicies})}
}

async function selectedOf(
  named: readonly {readonly repository: string; readonly version: string; readonly digest?: string}[],
  ports: PackagePorts,
): Promise<readonly SelectedXpkg[]> {
  const catalog = locatedXpkgs(ports)
  return await Promise.all(
    named.map(async ({repository, version, digest}) => ({
      ...(await catalog.read(repository, version, digest)),
      // Its request is one of a Provider, whatever the content says.
      ...{repository, version, kind: 'Provider'},
      ...present({digest}),
    })),
  )
}
