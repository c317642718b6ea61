import {CrossplaneError} from '../../errors.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {summaryLies} from '../../index/summary-of.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import type {InstallTarget} from '../../reference/install-target.js'
import {newestStable} from '../../reference/newest-version.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
} from '../../reference/package-reference.js'
import type {Fact} from '../../resolve/facts.js'
import type {ExcludedVersion, OwnerRule, Question, Root} from '../../resolve/question.js'
import {crdNeed, type Identify} from '../../resolve/requirement.js'
import type {NoAnswer, Resolution} from '../../resolve/resolution.js'
import type {Budget} from '../../resolve/search.js'
import {solve} from '../../resolve/solve.js'
import {readPackage} from '../../unpack/read-package.js'
import {EMPTY_GROUPS} from './assumed-facts.js'
import {
  type Catalog,
  folderCatalog,
  type NameRepository,
  type OpenPackage,
  repositoryNames,
  summaryOfOpen,
} from './catalog.js'
import {collectSummaries} from './collect-summaries.js'
import {
  type HeldLock,
  lockNotes,
  lockPreferences,
  refuseNewMismatches,
  refuseOtherBytes,
} from './held-lock.js'
import {locatePackage} from '../locate/locate-package.js'
import type {PackagePorts} from '../locate/located-package.js'
import {lockOf} from './lock-of.js'
import type {PackageFolder} from '../locate/package-sources.js'

/** One thing that is asked for. */
export interface Wanted {
  readonly target: InstallTarget
  readonly asPackage?: string
  readonly namespace?: string
  readonly name?: string
}

/** What decides besides what is asked for. */
export interface ResolutionPolicy {
  readonly facts: readonly Fact[]
  /** `identity` as a person writes a repository. */
  readonly owners: readonly OwnerRule[]
  /** Registry of repositories that name none; docker.io if nobody says. */
  readonly defaultSource?: string
  readonly allowVersionMismatch: boolean
  readonly systemNamespace: string
  readonly dependencyNamespace?: string
  /** What was chosen before. */
  readonly lock?: HeldLock
  readonly budget: Budget
}

/** An answer with the packages that it names, or none with what was asked. */
export type ResolvedPackages =
  | {
      readonly kind: 'resolved'
      readonly question: Question
      readonly resolution: Resolution
      readonly opened: ReadonlyMap<string, OpenPackage>
    }
  | (NoAnswer & {readonly question: Question})

/** Looks up what is asked for, solves, and reads what was chosen, as often as something of it was not what it seemed. */
export async function resolvePackages(
  wanted: readonly Wanted[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<ResolvedPackages> {
  const named = [...wanted.flatMap(imageOf), ...policy.owners.flatMap(ownerImage)]
  const nameOf = repositoryNames(named, policy.defaultSource)
  const given = new Map<string, OpenPackage>()
  const roots: Root[] = []
  const {defaultSource} = policy
  const at = defaultSource === undefined ? ports : {...ports, defaultSource}
  for (const each of wanted) roots.push(await rootOf(each, {given, nameOf, ports: at, lock: policy.lock}))
  const catalog = withGiven(folderCatalog(ports, nameOf), given)
  const result = await solveAndRead(
    await questionFor(roots, given, policy, nameOf, catalog),
    relaxed(policy),
    catalog,
  )
  return policy.lock === undefined ? result : heldTo(policy.lock, result, wanted, policy)
}

/** What a lock accepts needs no flag: `heldTo` sees to it that nothing else is accepted with it. */
function relaxed(policy: ResolutionPolicy): ResolutionPolicy {
  const isAccepted = (policy.lock?.lock.acceptedMismatches ?? []).length > 0
  return {...policy, allowVersionMismatch: policy.allowVersionMismatch || isAccepted}
}

function heldTo(
  held: HeldLock,
  result: ResolvedPackages,
  wanted: readonly Wanted[],
  policy: ResolutionPolicy,
): ResolvedPackages {
  if (result.kind === 'refused') return result
  const fresh = lockOf(result, wanted, policy)
  if (!policy.allowVersionMismatch) refuseNewMismatches(held, fresh)
  const {resolution} = result
  return {...result, resolution: {...resolution, notes: [...resolution.notes, ...lockNotes(held, fresh)]}}
}

function imageOf({target, asPackage}: Wanted): ImageName[] {
  if (target.kind === 'image') return [target.name]
  const name = asPackage === undefined ? undefined : parseImageName(asPackage)
  return name === undefined ? [] : [name]
}

function ownerImage({identity}: OwnerRule): ImageName[] {
  const name = parseImageName(identity)
  return name === undefined ? [] : [name]
}

interface RootContext {
  readonly given: Map<string, OpenPackage>
  readonly nameOf: NameRepository
  readonly ports: PackagePorts
  readonly lock: HeldLock | undefined
}

/** A root, whose package is read first where it is the only one that can be meant: so its faults are told as such. */
async function rootOf(
  {target, asPackage, namespace, name}: Wanted,
  {given, nameOf, ports, lock}: RootContext,
): Promise<Root> {
  const place = {...(namespace === undefined ? {} : {namespace}), ...(name === undefined ? {} : {name})}
  if (target.kind === 'crd') return {need: crdNeed(target.crd), ...place}
  const text = formatPackageReference(target)
  const floating = floatingName(target)
  if (floating !== undefined && (await hasStable(floating, ports.folder))) {
    return {need: {form: 'package', text, identity: nameOf(floating)}, ...place}
  }
  const options = {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
  const located = await locatePackage(asLocked(target, lock, nameOf), options)
  const opened = {located, package: readPackage(located.name, located.files)}
  const identity = located.reference === undefined ? located.repositoryPath : nameOf(located.reference)
  const {tag} = summaryOfOpen(opened, identity)
  given.set(`${identity}:${tag}`, opened)
  return {need: {form: 'package', text, identity, tag}, ...place}
}

/** The repository of a reference that leaves open which version is meant. */
function floatingName(target: PackageReference): ImageName | undefined {
  if (target.kind !== 'image') return undefined
  return target.name.tag === undefined && target.name.digest === undefined ? target.name : undefined
}

/** A reference that floats, with the tag by which it is locked, unless it may move. */
function asLocked(
  target: PackageReference,
  lock: HeldLock | undefined,
  nameOf: NameRepository,
): PackageReference {
  const name = floatingName(target)
  if (name === undefined || lock === undefined) return target
  const tag = lockedTag(lock, nameOf(name), nameOf)
  return tag === undefined ? target : {kind: 'image', name: {...name, tag}}
}

/** The tag by which a package is locked that may not move. */
function lockedTag(lock: HeldLock, identity: string, nameOf: NameRepository): string | undefined {
  const kept = lockPreferences(lock, identifier(nameOf)).find(each => each.identity === identity)
  return kept?.isUpgraded === true ? undefined : kept?.tag
}

function identifier(nameOf: NameRepository): Identify {
  return text => {
    const name = parseImageName(text)
    return name === undefined ? text : nameOf(name)
  }
}

async function hasStable({path}: ImageName, folder: PackageFolder | undefined): Promise<boolean> {
  const versions = (await folder?.versions(path)) ?? []
  return newestStable(versions.map(({tag}) => tag)) !== undefined
}

/** A catalog in which some packages are at hand already. */
function withGiven(catalog: Catalog, given: ReadonlyMap<string, OpenPackage>): Catalog {
  return {
    ...catalog,
    open: async summary => given.get(formatSummary(summary)) ?? (await catalog.open(summary)),
  }
}

async function questionFor(
  roots: readonly Root[],
  given: ReadonlyMap<string, OpenPackage>,
  {facts, owners, dependencyNamespace, lock}: ResolutionPolicy,
  nameOf: NameRepository,
  {summaries}: Catalog,
): Promise<Question> {
  const identify = identifier(nameOf)
  const atHand = [...given].map(([name, opened]) =>
    summaryOfOpen(opened, name.slice(0, name.lastIndexOf(':'))),
  )
  // Of a package that was read already nothing more has to be known, unless something leads back to it.
  const needs = roots.map(({need}) => need).filter(need => need.form === 'crd' || need.tag === undefined)
  const collected = await collectSummaries(needs, atHand, facts, identify, summaries)
  const preferences = lock === undefined ? [] : lockPreferences(lock, identify)
  if (lock !== undefined) refuseOtherBytes(lock, preferences, collected.summaries)
  return {
    summaries: collected.summaries,
    unreadable: collected.unreadable,
    roots,
    facts,
    owners: owners.map(({group, identity}) => ({group, identity: identify(identity)})),
    preferences,
    excluded: [],
    emptyGroups: EMPTY_GROUPS,
    identify,
    ...(dependencyNamespace === undefined ? {} : {dependencyNamespace}),
  }
}

/** What was chosen is read, and what it says of itself held against what was said of it; what lied is left out. */
export async function solveAndRead(
  asked: Question,
  policy: ResolutionPolicy,
  catalog: Catalog,
): Promise<ResolvedPackages> {
  let question = asked
  for (;;) {
    const result = solve(question, policy)
    if (result.kind === 'refused') return {...result, question}
    const {resolution} = result
    const {opened, excluded} = await openAll(resolution, catalog)
    if (excluded.length === 0) return {kind: 'resolved', question, resolution, opened}
    question = {...question, excluded: [...question.excluded, ...excluded]}
  }
}

interface Opened {
  readonly opened: ReadonlyMap<string, OpenPackage>
  readonly excluded: readonly ExcludedVersion[]
}

async function openAll({packages}: Resolution, catalog: Catalog): Promise<Opened> {
  const opened = new Map<string, OpenPackage>()
  const excluded: ExcludedVersion[] = []
  for (const {summary} of packages) {
    const read = await openOne(summary, catalog)
    if ('kind' in read) excluded.push(read)
    else opened.set(summary.identity, read)
  }
  return {opened, excluded}
}

/** Failures that make a version none to choose from; another one, such as a broken network, ends everything. */
const EXCLUSIONS = {
  'not-found': 'vanished',
  'access-denied': 'private',
  'package-invalid': 'lying',
} as const

async function openOne(summary: PackageSummary, catalog: Catalog): Promise<OpenPackage | ExcludedVersion> {
  const {identity, tag, digest} = summary
  const version = {identity, tag, ...(digest === undefined ? {} : {digest})}
  try {
    const opened = await catalog.open(summary)
    const lies = summaryLies(summary, summaryOfOpen(opened, identity))
    if (lies.length === 0) return opened
    return {...version, kind: 'lying', reason: `its entry has ${lies.join(', ')} wrong`}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !isExclusion(error.code)) throw error
    return {...version, kind: EXCLUSIONS[error.code], reason: error.message}
  }
}

function isExclusion(code: string): code is keyof typeof EXCLUSIONS {
  return Object.hasOwn(EXCLUSIONS, code)
}

/** A refusal as an error. */
export function unresolved({code, message, findings, suggestions}: NoAnswer): CrossplaneError {
  return new CrossplaneError(code, message, {faults: findings, suggestions})
}
