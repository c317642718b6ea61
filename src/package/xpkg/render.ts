import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {PackageJudge, PlanPolicies} from '../../inspect/policy/package-judge.js'
import {present} from '../../present.js'
import {renderXpkgs} from '../../render/xpkg/render-xpkgs.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {PackageSettings, XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {RequestSettings} from '../../render/requested-install.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import {closureOfRead, requestedClosure} from './requested-closure.js'
import {xpkgRoots} from './roots.js'
import {DEFAULT_PIN, type XpkgPin} from '../../xpkg/pins.js'
import type {RecognizedRequest, RenderedPart} from '../format.js'
import type {XpkgClosure} from './closure.js'
import type {expandXpkgs} from './expand.js'
import type {expectJudgedXpkgs} from './judge.js'
import type {TreeChange} from './tree-review.js'
import {withTrustedRuntimes} from './trusted-runtimes.js'
import {xpkgChoices} from './choices.js'
import type {GivenXpkgSettings, JudgedXpkgSet, PackageQuery, RenderedSets} from '../rendered-sets.js'

/** Renders the xpkgs of a request. Throws as its parts do. */
export async function renderRequested(
  request: RecognizedRequest,
  settings: GivenXpkgSettings,
): Promise<RenderedPart> {
  const {
    declaration,
    policy: {coreVersion, judge, lock},
    packages,
  } = request
  const reviewOf =
    (closure: TreeChange['closure']): RenderedSets['treeReview'] =>
    async (before, reviewed) => {
      const {treeReview} = await import('./tree-review.js')
      const change = {closure, locked: lock?.lock.xpkgs ?? [], ...present({coreVersion})}
      return await treeReview(before, change, packages, reviewed)
    }
  const empty = {objects: [], warnings: [], ...present({declaration})}
  // Its last package can have left a tree.
  if (request.parts.xpkg.length === 0)
    return {
      sets: {xpkgs: empty, treeReview: reviewOf({packages: [], names: new Map(), roots: []})},
      identities: [],
    }
  const closure = await requestedClosure(request)
  const own = new Map(
    xpkgRoots(request).map(({repository, requested}) => [
      repository,
      ownSettings(requested.parameters, requested.pin),
    ]),
  )
  const all = {...xpkgChoices(settings, declaration), own, ...present({coreVersion})}
  const rendered = await setOf(closure, all, packages, judge)
  const set = await withMoving(rendered, request, all)
  const identities = closure.packages.map(({repository}) => repository)
  return {
    sets: {xpkgs: {...set, ...present({declaration})}, treeReview: reviewOf(closure)},
    identities,
  }
}

/** Loaded here: few locks have requests from which packages move. */
async function withMoving(
  set: JudgedXpkgSet,
  {policy, packages}: RecognizedRequest,
  {pin = DEFAULT_PIN, mirrors}: GivenXpkgSettings,
): Promise<JudgedXpkgSet> {
  const moving = policy.lock?.lock.moving ?? []
  if (moving.length === 0) return set
  const {withJudgedMoving} = await import('./moving.js')
  return await withJudgedMoving(set, moving, {policy, packages, settings: {pin, ...present({mirrors})}})
}

/** Returns the settings that a request gives to its own package. */
export function ownSettings(settings: RequestSettings, pin?: XpkgPin): PackageSettings {
  const {imagePullPolicy, imagePullSecrets, serviceAccountAnnotations, runtime, runtimeConfig} = settings
  const {revisionActivationPolicy, revisionHistoryLimit, paused} = settings
  return {
    serviceAccountAnnotations,
    ...(imagePullSecrets.length === 0 ? {} : {packagePullSecrets: imagePullSecrets}),
    ...present({packagePullPolicy: imagePullPolicy, runtime, runtimeConfig, pin}),
    ...present({revisionActivationPolicy, revisionHistoryLimit, paused}),
  }
}

/** Renders a package that was read, and its dependencies. */
export async function renderRead(
  located: LocatedPackage,
  {coreVersion, isAlone, parameters}: PackageQuery,
  settings: GivenXpkgSettings,
  ports: RequestPorts,
): Promise<XpkgSet> {
  const packages = await ports.packages()
  const closure = await closureOfRead(
    located,
    present({coreVersion, isAlone, name: parameters.name}),
    packages,
    ports.budget(TIME_LIMIT),
  )
  const root = closure.roots[0]?.repository ?? ''
  const own = new Map([[root, ownSettings(parameters)]])
  return await setOf(closure, {...settings, own, ...present({coreVersion})}, packages)
}

/** Milliseconds for the search, without the time for reading packages. */
const TIME_LIMIT = 30_000

async function setOf(
  closure: XpkgClosure,
  {expand = false, ...settings}: Partial<XpkgSettings> & Pick<GivenXpkgSettings, 'expand'>,
  ports: PackagePorts,
  judge?: PackageJudge,
): Promise<JudgedXpkgSet> {
  const rendered = await withTrustedRuntimes(xpkgSetOf(closure, settings), closure, ports)
  const {pin = DEFAULT_PIN, own, mirrors, mirrorOf} = settings
  const pins = {pin, ...present({own})}
  const planPolicies = await judgedBy(judge, {closure, set: rendered, settings: pins}, ports)
  const set = {...rendered, ...present({planPolicies})}
  if (!expand) return set
  const expanded = await expandedBy(closure, set, {...pins, ...present({mirrors, mirrorOf})}, ports)
  return {...set, ...present({expanded})}
}

async function judgedBy(
  judge: PackageJudge | undefined,
  rendered: Parameters<typeof expectJudgedXpkgs>[0],
  ports: PackagePorts,
): Promise<PlanPolicies | undefined> {
  if (judge === undefined) return undefined
  return await (await import('./judge.js')).expectJudgedXpkgs(rendered, judge, ports)
}

/** Renders resolved packages. Conflicts are reasons for an error, and without Crossplane's resolver they are none. */
export function xpkgSetOf(
  closure: XpkgClosure,
  {pin = DEFAULT_PIN, ...settings}: Partial<XpkgSettings>,
): XpkgSet {
  const {conflicts, notes} = closure
  const set = renderXpkgs(closure, {...settings, pin}, conflicts)
  const others = notes.filter(note => !conflicts.includes(note))
  return {
    ...set,
    warnings: [...others.filter(({severity}) => severity === 'warning'), ...set.warnings],
    notes: others.filter(({severity}) => severity !== 'warning'),
  }
}

/** Loaded here: most sets are not expanded. */
async function expandedBy(...query: Parameters<typeof expandXpkgs>): ReturnType<typeof expandXpkgs> {
  return await (await import('./expand.js')).expandXpkgs(...query)
}
