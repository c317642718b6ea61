import {withPodImages} from '../../kubernetes/pod-images.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {PackageJudge, PlanJudge} from '../../inspect/policy/package-judge.js'
import {present} from '../../present.js'
import {renderXpkgs} from '../../render/xpkg/render-xpkgs.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {PackageSettings, XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {RequestSettings} from '../../render/requested-install.js'
import type {ReadRequest, RequestPorts} from '../request/read-request.js'
import {expectFew} from '../../resolve/packages/source-policy.js'
import {referenceClosure, type XpkgQuery} from '../xpkg/reference-closure.js'
import {requestedClosure} from '../xpkg/requested-closure.js'
import type {SplitRequest} from '../xpkg/split-request.js'
import type {XpkgClosure} from '../xpkg/xpkg-closure.js'
import type {GivenChoices} from './given-choices.js'
import {renderRead} from './render.js'
import type {expandXpkgs} from './expand-xpkgs.js'
import type {expectJudgedXpkgs} from './judge-xpkgs.js'
import {xpkgChoices} from './xpkg-choices.js'
import type {GivenXpkgSettings, JudgedXpkgSet, PackageQuery, RenderedSets} from './rendered-sets.js'

/** Renders a request that has packages for a current Crossplane. Throws as its parts do. */
export async function renderSplitRequest(
  parts: SplitRequest,
  request: ReadRequest,
  choices: GivenChoices,
  settings: GivenXpkgSettings,
): Promise<RenderedSets> {
  const {declaration} = request
  const {set, repositories} = await renderRequestedXpkgs(parts, request, settings)
  const xpkgs = {...set, ...present({declaration})}
  if (parts.stacks.length === 0) return {xpkgs}
  const stacks = await renderRead({...request, requested: parts.stacks}, choices)
  expectFew([...(stacks.identities ?? []), ...repositories], request.policy.teams)
  return {stacks, xpkgs}
}

async function renderRequestedXpkgs(
  parts: SplitRequest,
  request: ReadRequest,
  settings: GivenXpkgSettings,
): Promise<{readonly set: JudgedXpkgSet; readonly repositories: readonly string[]}> {
  if (parts.xpkgs.length === 0) return {set: {objects: [], warnings: []}, repositories: []}
  const closure = await requestedClosure(parts, request)
  const own = new Map(
    parts.xpkgs.map(({repository, requested}) => [repository, ownSettings(requested.parameters)]),
  )
  const {coreVersion} = request.policy
  const choices = xpkgChoices(settings, request.declaration)
  const all = {...choices, own, ...present({coreVersion})}
  const set = await setOf(closure, all, request.packages, request.policy.judge)
  return {set, repositories: closure.packages.map(({repository}) => repository)}
}

/** Returns the settings that a request gives to its own package. */
export function ownSettings({
  imagePullPolicy,
  imagePullSecrets,
  serviceAccountAnnotations,
  runtime,
}: RequestSettings): PackageSettings {
  return {
    serviceAccountAnnotations,
    ...(imagePullSecrets.length === 0 ? {} : {packagePullSecrets: imagePullSecrets}),
    ...present({packagePullPolicy: imagePullPolicy, runtime}),
  }
}

/** Renders a package for a current Crossplane and its dependencies; undefined if it has another format. */
export async function renderReferencedXpkg(
  {reference, asPackage, coreVersion, parameters}: PackageQuery,
  settings: GivenXpkgSettings,
  ports: RequestPorts,
): Promise<XpkgSet | undefined> {
  const xpkgQuery: XpkgQuery = {reference, ...present({asPackage, coreVersion})}
  const packages = await ports.packages()
  const closure = await referenceClosure(xpkgQuery, packages, ports.budget(TIME_LIMIT))
  if (closure === undefined) return undefined
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
  const rendered = await withTrustedRuntimes(xpkgSetOf(closure, settings), ports)
  const {pin = 'config', mirrors, mirrorOf} = settings
  const judgePlan = await judgedBy(judge, {closure, set: rendered, pin}, ports)
  const set = {...rendered, ...present({judgePlan})}
  if (!expand) return set
  const expanded = await expandedBy(closure, set, {pin, ...present({mirrors, mirrorOf})}, ports)
  return {...set, ...present({expanded})}
}

async function judgedBy(
  judge: PackageJudge | undefined,
  rendered: Parameters<typeof expectJudgedXpkgs>[0],
  ports: PackagePorts,
): Promise<PlanJudge | undefined> {
  if (judge === undefined) return undefined
  return await (await import('./judge-xpkgs.js')).expectJudgedXpkgs(rendered, judge, ports)
}

/** Verifies the images that runtimes name in place of those of packages, and names them by their digests. */
async function withTrustedRuntimes(set: XpkgSet, ports: PackagePorts): Promise<XpkgSet> {
  if (ports.remote.trust === undefined) return set
  const {verifiedImages} = await import('../signatures/rendered-images.js')
  const names = await verifiedImages(
    set.objects.map(({object}) => object),
    ports,
  )
  return {...set, objects: set.objects.map(own => ({...own, object: withPodImages(own.object, names)}))}
}

/** Renders resolved packages. Conflicts are reasons for an error, and without Crossplane's resolver they are none. */
export function xpkgSetOf(
  closure: XpkgClosure,
  {pin = 'config', ...settings}: Partial<XpkgSettings>,
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
  return await (await import('./expand-xpkgs.js')).expandXpkgs(...query)
}
