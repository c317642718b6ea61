import {allLockChanges} from '../../declaration/lock-changes.js'
import {carriedOver, type Lock} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {FormatName} from '../../locate/expect-format.js'
import type {LockedPart, RecognizedRequest} from '../../package/format.js'
import {expectApplicableOfCrds} from '../../package/expect-applicable.js'
import {concernedFormats, formatsInLock, packageFormat} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {LockReport} from '../../package/reports.js'
import {upgradedParts} from '../../package/upgraded-parts.js'
import {present} from '../../present.js'
import {parseImageName} from '../../reference/image-name.js'
import {emptyLock} from '../../resolve/lock/empty-lock.js'
import {type HeldLock, lockBefore} from '../../resolve/lock/held-lock.js'
import {expectFew} from '../../resolve/packages/source-policy.js'
import {identifier, repositoryNames} from '../../resolve/repository-names.js'
import type {ReadRequest} from '../request/read-request.js'

/** A lock, and the settings of the declaration that have no effect without what is removed. */
interface LockedRequest extends LockReport {
  readonly unused: readonly string[]
}

/**
 * Resolves the packages of a request, of any format, and returns their lock; locked versions are kept. Throws as the
 * formats do.
 */
export async function lockRequest(request: ReadRequest, previous?: HeldLock): Promise<LockedRequest> {
  const policy = {...request.policy, ...present({lock: previous})}
  const recognized = await recognize({...request, policy})
  const before = lockBefore(previous)
  const parts = await lockedParts(recognized, previous)
  const fresh: Lock = {
    ...lockWithoutPackages(policy),
    ...parts.reduce<Partial<Lock>>((all, {entries}) => ({...all, ...entries}), {}),
  }
  const repositories = (fresh.xpkgs ?? []).map(({repository}) => repository)
  expectFew([...fresh.packages.map(({identity}) => identity), ...repositories], policy.teams)
  const carried = carriedOver({...fresh, xpkgs: fresh.xpkgs ?? []}, before)
  const remembered = parts.reduce((all, {remembering}) => remembering?.(all) ?? all, carried)
  const lock = withoutEmptyXpkgs(remembered, before)
  expectApplicableOfCrds(request, formatsInLock(lock))
  return {
    lock,
    unused: recognized.unused,
    changes: allLockChanges(before, lock),
    notes: parts.flatMap(({notes}) => notes),
    firstOwners: parts.flatMap(({firstOwners}) => firstOwners),
    ownerChanges: parts.flatMap(({ownerChanges}) => ownerChanges),
    signerChanges: parts.flatMap(({signerChanges}) => signerChanges),
    releases: parts.flatMap(({releases}) => releases),
    ...present({xpkgs: parts.find(({xpkgs}) => xpkgs !== undefined)?.xpkgs}),
  }
}

async function lockedParts(
  request: RecognizedRequest,
  previous: HeldLock | undefined,
): Promise<readonly LockedPart[]> {
  const locks = previous && upgradedParts(previous, request.policy.defaultSource)
  const parts: LockedPart[] = []
  for (const name of lockedFormats(request, locks)) {
    const format = await packageFormat(name)
    parts.push(await format.lock(request, locks?.[name]))
  }
  return parts
}

/** Those of the request and of the lock before; that of v0.12 also reports a name to upgrade that none has. */
function lockedFormats(
  request: RecognizedRequest,
  locks: ReturnType<typeof upgradedParts> | undefined,
): readonly FormatName[] {
  const concerned = concernedFormats(request, locks?.stack.lock)
  const {upgraded = []} = locks?.stack ?? {}
  const isUnknown = upgraded !== 'all' && upgraded.length > 0 && !concerned.includes('stack')
  return [...(isUnknown ? ['stack' as const] : []), ...[...concerned].reverse()]
}

function lockWithoutPackages({owners, defaultSource, ...policy}: ReadRequest['policy']): Lock {
  const named = owners.flatMap(({identity}) => parseImageName(identity) ?? [])
  const identify = identifier(repositoryNames(named, defaultSource))
  const rules = owners.map(({group, identity}) => ({group, identity: identify(identity)}))
  return emptyLock({...policy, ...present({defaultSource})}, rules)
}

/**
 * Returns what a new lock takes away, as warnings: files and clusters do not change yet. Throws `policy-refused` for what the
 * policy of the team rejects of it.
 */
export async function releaseNotes(
  {releases}: Pick<LockReport, 'releases'>,
  {judge}: Pick<ReadRequest['policy'], 'judge'>,
): Promise<readonly Diagnostic[]> {
  const all = await Promise.all(releases.map(read => read()))
  judge?.expectCrds(all.flatMap(({crds}) => crds))
  return all.flatMap(({warnings}) => warnings)
}

/** Whether the last package that leaves a declaration is one for a current Crossplane: its tree has no base. */
function hasOnlyXpkgs({packages}: Lock, previous: Lock | undefined): boolean {
  return packages.length === 0 && previous?.packages.length === 0 && previous.xpkgs !== undefined
}

function withoutEmptyXpkgs(lock: Lock, previous: Lock | undefined): Lock {
  const {xpkgs = [], ...others} = lock
  return xpkgs.length === 0 && !hasOnlyXpkgs(lock, previous) ? others : lock
}
