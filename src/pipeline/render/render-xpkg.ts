import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {renderXpkgs} from '../../render/xpkg/render-xpkgs.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {PackageSettings, XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {RequestSettings} from '../../render/requested-install.js'
import {readRequest, type ReadRequest, type RequestPorts} from '../request/read-request.js'
import {referenceClosure, type XpkgQuery} from '../xpkg/reference-closure.js'
import {requestedClosure} from '../xpkg/requested-closure.js'
import {splitRequest, type SplitRequest} from '../xpkg/split-request.js'
import type {XpkgClosure} from '../xpkg/xpkg-closure.js'
import type {GivenChoices} from './given-choices.js'
import {type NotedSet, render, type RenderQuery, renderRead} from './render.js'

/** Settings of a command line for packages for a current Crossplane. */
export type GivenXpkgSettings = Omit<XpkgSettings, 'coreVersion' | 'own'>

/** A rendered query: the set of packages with `.registry/`, that of packages for a current Crossplane, or both. */
export interface RenderedSets {
  readonly stacks?: NotedSet
  readonly xpkgs?: DeclaredXpkgSet
}

/** A set, and the declaration that requests it. */
export type DeclaredXpkgSet = XpkgSet & Pick<ReadRequest, 'declaration'>

/** Renders a query with packages of either format. Throws as its parts do. */
export async function renderSets(
  query: RenderQuery,
  choices: GivenChoices,
  settings: GivenXpkgSettings,
  ports: RequestPorts,
): Promise<RenderedSets> {
  if (query.kind === 'files') return {stacks: await render(query, choices, ports)}
  if (query.kind === 'package') return await renderReference(query, choices, settings, ports)
  const request = await readRequest(query.query, ports)
  const parts = await splitRequest(request)
  if (parts.xpkgs.length === 0) return {stacks: await renderRead(request, choices)}
  const {declaration} = request
  const xpkgs = {...(await renderRequestedXpkgs(parts, request, settings)), ...present({declaration})}
  if (parts.stacks.length === 0) return {xpkgs}
  return {stacks: await renderRead({...request, requested: parts.stacks}, choices), xpkgs}
}

async function renderRequestedXpkgs(
  parts: SplitRequest,
  request: ReadRequest,
  settings: GivenXpkgSettings,
): Promise<XpkgSet> {
  const closure = await requestedClosure(parts, request)
  const own = new Map(
    parts.xpkgs.map(({repository, requested}) => [repository, ownSettings(requested.parameters)]),
  )
  const {coreVersion} = request.policy
  return setOf(closure, {...settings, own, ...present({coreVersion})})
}

function ownSettings({
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

/** A package of the other format is rejected by the reader of packages with `.registry/`, before its files are read. */
async function renderReference(
  query: Extract<RenderQuery, {readonly kind: 'package'}>,
  choices: GivenChoices,
  settings: GivenXpkgSettings,
  ports: RequestPorts,
): Promise<RenderedSets> {
  try {
    return {stacks: await render(query, choices, ports)}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'unsupported') throw error
    const {reference, asPackage, coreVersion, parameters} = query
    const xpkgQuery: XpkgQuery = {reference, ...present({asPackage, coreVersion})}
    const closure = await referenceClosure(xpkgQuery, await ports.packages(), ports.budget(TIME_LIMIT))
    if (closure === undefined) throw error
    const root = closure.roots[0]?.repository ?? ''
    const own = new Map([[root, ownSettings(parameters)]])
    return {xpkgs: setOf(closure, {...settings, own, ...present({coreVersion})})}
  }
}

/** Milliseconds for the search, without the time for reading packages. */
const TIME_LIMIT = 30_000

/** Conflicts are reasons for an error, and without Crossplane's resolver they are none. */
function setOf(closure: XpkgClosure, settings: XpkgSettings): XpkgSet {
  const {conflicts, notes} = closure
  const set = renderXpkgs(closure, settings, conflicts)
  const others = notes.filter(note => !conflicts.includes(note))
  return {
    ...set,
    warnings: [...others.filter(({severity}) => severity === 'warning'), ...set.warnings],
    notes: others.filter(({severity}) => severity !== 'warning'),
  }
}
