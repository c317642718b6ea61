import type {Declaration, DeclaredPackage} from '../../declaration/declaration.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {readLock} from '../../declaration/read-lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {isIndexFile} from '../../reference/index-file-name.js'
import {checkNamespace, SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {parseCrdName, parseInstallTarget} from '../../reference/install-target.js'
import {isLocalPath} from '../../reference/package-reference.js'
import type {Places} from '../../resolve/placement.js'
import type {UsagePorts} from '../../usage/objects/read-objects.js'
import type {Budget} from '../../resolve/solver/solver.js'
import type {ReadDeclaration} from './given-settings.js'
import type {InputFiles} from './input-files.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import {
  type PackageTrust,
  packageTrust,
  type TrustPorts,
  withRecorded,
} from '../../signatures/package-trust.js'
import {withTrust} from '../../locate/with-trust.js'
import {coreVersionOf} from './core-version.js'
import {assumedFacts, crossplaneReleases} from './assumed-facts.js'
import {readAssumptions} from './read-assumptions.js'
import {signaturesIn} from '../../declaration/locked-sources.js'
import {type HeldLock, isBinding} from '../../resolve/lock/held-lock.js'
import type {LockQuery, RequestQuery, ResolutionSettings} from './request-query.js'
import {
  joinOwners,
  readTeamPolicies,
  signatureRulesOf,
  type TeamPolicy,
  withFullOwners,
  type WrittenOwners,
} from './team-policy.js'
import type {RequestPolicy} from './request-policy.js'
import type {JudgedParts} from '../../inspect/policy/package-judge.js'
import type {RuleEngine} from '../../inspect/policy/rule-engine.js'
import type {SurfaceCache} from '../../usage/package-surface.js'

/** The ports for reading a request. */
export interface RequestPorts {
  readonly inputs: InputFiles
  /** A time limit that starts with the first step. */
  readonly budget: (milliseconds: number) => Budget
  /** Verifies what the policy of a team requires to be signed. */
  readonly signatures: TrustPorts
  /** Evaluates the rules of the policy. */
  readonly rules: () => Promise<RuleEngine>
  /** Reads the objects of users. */
  readonly usage: UsagePorts
  /** What was read of packages before; absent without a cache. */
  readonly surfaces?: () => Promise<SurfaceCache | undefined>
  /** Returns the package sources of the command line and, if there is one, of a declaration. */
  readonly packages: (declared?: DeclaredSources) => Promise<PackagePorts>
}

/** The sources of packages in a declaration; paths of indexes are relative to the working folder. */
export type DeclaredSources = Pick<Declaration, 'defaultSource' | 'registries' | 'indexes'>

/** A request that has been read: the packages and CRDs, the policy for selecting packages, and their sources. */
export interface ReadRequest {
  readonly requested: readonly RequestedInstall[]
  readonly policy: RequestPolicy
  readonly packages: PackagePorts
  /** The declaration that was read for it, if any. */
  readonly declaration?: ReadDeclaration
  /** Whether packages are only removed. */
  readonly isRemoval?: boolean
  /** The names of the flags of the command line. */
  readonly flagNames?: ReadonlySet<string>
}

/** Reads what a query names: its declaration, its assumed CRDs and its lock. Throws `usage`, `not-found`, `input-invalid`. */
export async function readRequest(query: RequestQuery, ports: RequestPorts): Promise<ReadRequest> {
  const {inputs} = ports
  const declaration = query.kind === 'declaration' ? await declarationIn(query.file, inputs) : undefined
  const requested =
    query.kind === 'declaration'
      ? (declaration?.content.packages ?? []).map(declaredInstall)
      : query.requested
  const read = await readPolicy(query.settings, ports, declaration)
  const lock = query.lock && (await readLockFile(query.lock, inputs))
  const policy = {...read, ...present({trust: trustUnder(lock, read.trust, query.lock?.isTrusted)})}
  const sources = declaration && sourcesIn(declaration.content, declaration.path, inputs)
  return {
    requested,
    policy: {...policy, lock},
    packages: withTrust(await ports.packages(sources), policy.trust),
    declaration,
    ...present({isRemoval: query.settings.isRemoval, flagNames: query.settings.flagNames}),
  }
}

/** A lock that decides alone says who signed as well: that counts only if the lock is to be trusted. */
function trustUnder(
  lock: HeldLock | undefined,
  trust: PackageTrust | undefined,
  isTrusted = false,
): PackageTrust | undefined {
  if (trust === undefined || lock === undefined || !isBinding(lock)) return trust
  const recorded = signaturesIn(lock.lock)
  return withRecorded(trust, {of: (repository, digest) => recorded.of(repository, digest), isTrusted})
}

async function declarationIn(path: string, inputs: InputFiles): Promise<ReadDeclaration> {
  const {name, bytes, isSplit} = await inputs.read(path, '--declaration')
  return {path, name, bytes, content: readDeclaration(name, bytes), isSplit}
}

/** Returns the sources of a declaration, with paths relative to the working folder. */
export function sourcesIn(
  {defaultSource, registries, indexes}: Declaration,
  file: string,
  inputs: InputFiles,
): DeclaredSources {
  const besideFile = (path: string) => {
    const inner = inputs.beside(file, path)
    return isLocalPath(inner) ? inner : `./${inner}`
  }
  return {
    defaultSource,
    registries,
    indexes: indexes.map(index => (isIndexFile(index) ? besideFile(index) : index)),
  }
}

/** Returns what an entry of a declaration requests. */
export function declaredInstall({package: reference, crd, ...declared}: DeclaredPackage): RequestedInstall {
  const {version: range, namespace, name, pin, parameters, runtime, draining, crdsOnly} = declared
  return {
    target: crd === undefined ? parseInstallTarget(reference ?? '') : {kind: 'crd', crd: parseCrdName(crd)},
    parameters: {...parameters, ...present({runtime})},
    ...present({pin}),
    range,
    namespace,
    name,
    ...(draining === true ? {removal: crdsOnly === true ? 'crds-only' : 'draining'} : {}),
  }
}

/**
 * Reads the files of the settings; settings of the declaration apply where there are none. Throws `usage`,
 * `input-invalid`.
 */
export async function readPolicy(
  settings: ResolutionSettings,
  {inputs, budget, signatures, rules}: Pick<RequestPorts, 'inputs' | 'budget' | 'signatures' | 'rules'>,
  declaration?: ReadDeclaration,
): Promise<RequestPolicy> {
  const {allowVersionMismatch, solveTimeout, isRemoval = false} = settings
  const defaultSource = settings.defaultSource ?? declaration?.content.defaultSource
  const assumptions = await readAssumptions(settings, inputs, declaration)
  const teams = await readTeamPolicies(settings, inputs, declaration)
  return {
    ...(await judgeOf(teams, {rules, defaultSource, judges: isRemoval ? 'plans' : 'all'})),
    facts: assumedFacts(assumptions),
    crossplane: crossplaneReleases(assumptions.crossplane),
    ...present({coreVersion: coreVersionOf(settings.coreVersion, declaration)}),
    owners: joinOwners(teams, {...ownersOf(settings, declaration?.content), declaration, defaultSource}),
    teams,
    ...trustOf(teams, signatures),
    ...placesOf(settings, declaration?.content),
    defaultSource,
    allowVersionMismatch,
    ...present({acknowledged: declaration?.content.acknowledged}),
    budget: budget(Math.min(solveTimeout, ...teams.map(solveTimeoutOf))),
  }
}

const SECOND = 1000

function solveTimeoutOf({limits}: TeamPolicy): number {
  return (limits.solveTimeoutSeconds ?? Infinity) * SECOND
}

function trustOf(
  teams: readonly TeamPolicy[],
  signatures: RequestPorts['signatures'],
): Pick<RequestPolicy, 'trust'> {
  const rules = signatureRulesOf(teams)
  return rules.length === 0 ? {} : {trust: packageTrust(rules, signatures)}
}

interface JudgeSettings extends Pick<RequestPorts, 'rules'> {
  readonly defaultSource: string | undefined
  readonly judges: JudgedParts
}

/** What judges packages is loaded for policies that do. */
async function judgeOf(
  teams: readonly TeamPolicy[],
  {rules, defaultSource, judges}: JudgeSettings,
): Promise<Pick<RequestPolicy, 'judge'>> {
  const judging = teams.filter(
    ({owners, rules: own, reject}) => owners.length + own.length + Object.keys(reject).length > 0,
  )
  if (judging.length === 0) return {}
  const {joinJudges, packageJudge} = await import('../../inspect/policy/package-judge.js')
  const all = judging.map(team => packageJudge(withFullOwners(team, defaultSource), rules, judges))
  return {judge: joinJudges(await Promise.all(all))}
}

/** For a group that both assign, the command line takes precedence. */
function ownersOf(
  {owners}: ResolutionSettings,
  declaration: Declaration | undefined,
): Pick<WrittenOwners, 'flags' | 'declared'> {
  const declared = (declaration?.owners ?? []).filter(({group}) => !owners.some(rule => rule.group === group))
  return {flags: owners, declared: declared.map(({group, package: identity}) => ({group, identity}))}
}

function placesOf(settings: ResolutionSettings, declaration: Declaration | undefined): Places {
  const dependencyNamespace = settings.dependencyNamespace ?? declaration?.dependencyNamespace
  const systemNamespace = settings.systemNamespace ?? declaration?.systemNamespace ?? SYSTEM_NAMESPACE
  return {
    systemNamespace: checkNamespace(systemNamespace, '--system-namespace'),
    contextNamespace: settings.contextNamespace,
    ...(dependencyNamespace === undefined
      ? {}
      : {dependencyNamespace: checkNamespace(dependencyNamespace, '--dependency-namespace')}),
  }
}

/** Reads a lock file that must exist. Throws `not-found`. */
export async function readExistingLock(query: LockQuery, inputs: InputFiles): Promise<HeldLock> {
  const lock = await readLockFile({...query, isOptional: false}, inputs)
  if (lock === undefined) throw new RangeError(`the lock ${query.file} was not read`)
  return lock
}

/** Reads a lock file; undefined if it is optional and missing. Otherwise throws `not-found`. */
export async function readLockFile(query: LockQuery, inputs: InputFiles): Promise<HeldLock | undefined> {
  const {file, otherwise, isOptional, remedy, declaration} = query
  try {
    const {name, bytes, disagreements = []} = await inputs.read(file, '--lock-file')
    if (otherwise === 'reject' && disagreements.length > 0) throw disagreeing(query, disagreements)
    return {name, lock: readLock(name, bytes), upgraded: [], otherwise, remedy}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'not-found') throw error
    if (isOptional && isMissing(error)) return undefined
    if (isMissing(error)) await expectDeclaration(declaration, inputs)
    throw unreadable(query, error)
  }
}

async function expectDeclaration(file: string | undefined, inputs: InputFiles): Promise<void> {
  if (file !== undefined) await inputs.read(file, '--declaration')
}

/** The error for a merge that is not a resolution. */
function disagreeing({file, remedy}: LockQuery, diagnostics: readonly Diagnostic[]): CrossplaneError {
  const message = `the lock ${file} has packages at several versions`
  return new CrossplaneError('lock-outdated', message, {diagnostics, suggestions: [remedy]})
}

function unreadable({file, remedy, otherwise}: LockQuery, error: CrossplaneError): CrossplaneError {
  const {message, cause, suggestions} = error
  if (!isMissing(error)) return new CrossplaneError(error.code, message, {cause, suggestions})
  const code = otherwise === 'reject' ? 'lock-outdated' : error.code
  return new CrossplaneError(code, `cannot read the lock file ${file}: no such file or directory`, {
    cause,
    suggestions: [remedy],
  })
}

function isMissing({cause}: CrossplaneError): boolean {
  return (cause as {readonly code?: unknown} | undefined)?.code === 'ENOENT'
}
