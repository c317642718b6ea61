import type {Diagnostic} from '../../../diagnostic.js'
import {withPodImages} from '../../../kubernetes/pod-images.js'
import {clusterNames} from '../../../plan/cluster/core/cluster-names.js'
import {pinningIn} from '../../../plan/cluster/core/cluster-pin.js'
import type {JudgeLoader} from '../../../observe/instances/survey-instances.js'
import type {CoreState} from '../../../plan/cluster/state/core-state.js'
import type {PackageJudge} from '../../../inspect/policy/package-judge.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import type {InstallOptions} from '../../../plan/cluster/plan-install.js'
import {present} from '../../../present.js'
import type {XpkgSettings} from '../../../render/xpkg/xpkg-settings.js'
import {xpkgSetOf} from '../../../package/xpkg/render.js'
import type {ClusterClosure} from './closure-in-cluster.js'

/** Packages that fit together, for a cluster as it was read. */
export interface ResolvedPackages {
  readonly closure: ClusterClosure
  /** The tag, digest or constraint by which a user requested a package, by repository. */
  readonly requestedAs: ReadonlyMap<string, string>
  /** The packages whose settings the command decides; by default none. */
  readonly configured?: ReadonlySet<string>
  /** The packages with an entry in a declaration. */
  readonly entries?: ReadonlySet<string>
  /** The packages whose names a declaration says. */
  readonly declared?: ReadonlySet<string>
  readonly notes?: readonly Diagnostic[]
  /** The images of runtimes that a policy covers, with the digests that were verified, by their names. */
  readonly images?: ReadonlyMap<string, string>
  /** Settings of single packages as the cluster has them, in place of those of the query. */
  readonly own?: XpkgSettings['own']
  /** What the cluster activates, in place of what the query does. */
  readonly activation?: XpkgSettings['activation']
}

/** How packages are requested. */
export interface PackagesQuery {
  /** Without a pin, that of the cluster. */
  readonly settings: Partial<XpkgSettings>
  readonly options: InstallOptions
  /** Judges the packages by the policy of the team, if it rejects any. */
  readonly judge?: PackageJudge
  readonly packages: PackagePorts
  /** Loads what judges custom resources by the verdicts of `package impact`. */
  readonly loadJudge?: JudgeLoader
  /** Whether all packages of the cluster change to another resolver, and nothing else of them. */
  readonly changesResolver?: boolean
}

/** Requests that exist keep their names, where that is safe. */
export function withNames(
  {closure, declared = new Set(), ...resolved}: ResolvedPackages,
  {settings}: PackagesQuery,
  core: CoreState,
): ResolvedPackages {
  const isResolved = pinningIn(core, settings).resolver === 'on'
  const names = clusterNames(closure, core, {declared, isResolved})
  return {...resolved, closure: {...closure, names}, declared}
}

/** Renders the requests for packages as the cluster wants them: by its pin, its resolver and its mirrors. */
export function renderFor(
  {closure, images, own, activation}: Pick<ResolvedPackages, 'closure' | 'images' | 'own' | 'activation'>,
  {settings, packages}: Pick<PackagesQuery, 'settings' | 'packages'>,
  core: CoreState,
) {
  const {clusterMirror} = packages.remote
  const mirrorOf = (repository: string) =>
    settings.mirrorOf?.(repository) ?? clusterMirror?.(repository)?.repository
  const set = xpkgSetOf(closure, {
    ...settings,
    ...present({own, activation}),
    ...pinningIn(core, settings),
    mirrorOf,
  })
  if (images === undefined) return set
  return {...set, objects: set.objects.map(one => ({...one, object: withPodImages(one.object, images)}))}
}
