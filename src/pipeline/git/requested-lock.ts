import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {withSettings} from '../../declaration/add-settings.js'
import {type Lock, lockedVersions} from '../../declaration/lock.js'
import {heldLock, type HomeFiles, noDeclaration} from '../home/committed-home.js'
import {withFittingPin, withReplacedPins} from '../../declaration/replace-entry-pins.js'
import {withoutFields} from '../../declaration/remove-package.js'
import {present} from '../../present.js'
import {listNames} from '../../text.js'
import {declaredNames} from '../../plan/declaration/declared-names.js'
import {pinnedNote} from '../resolution/pinned-note.js'
import {upgradedLock} from '../resolution/upgraded-lock.js'
import {lockRequest} from '../resolution/lock-request.js'
import {withContent} from '../request/input-files.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import type {FormerPackage} from '../home/locked-history.js'
import type {GitQuery} from './git-request.js'
import {movedDeclaration} from './moved-home.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {withEntry} from '../../plan/declaration/requested-declaration.js'
import {
  alsoPromoted,
  expectPromoted,
  type PromotedPackages,
  promotedPackages,
  type PromotionSource,
  withPromotedPins,
  withPromotedVersions,
} from '../../plan/declaration/promoted.js'
import {expectFormerVersion, withFormerPin, withFormerVersion} from '../../plan/declaration/rolled-back.js'
import type {RemovalStep} from '../../plan/declaration/removal-step.js'
import {type RemovalRequest, removalStep} from '../../plan/declaration/requested-removal.js'
import type {LockReport} from '../../package/reports.js'

/** The declaration that a request leads to, and its lock. */
interface RequestedLock {
  /** Those by which it was resolved. */
  readonly settings: ResolutionSettings
  /** The declaration. */
  readonly text: string
  readonly report: LockReport
  readonly notes: readonly Diagnostic[]
  readonly step?: RemovalStep
}

/** Applies a request to the declaration of a home, and locks the result. Throws as `lockPackages` does. */
export async function requestedLock(
  {request, settings, declared, settingFlags}: GitQuery,
  base: HomeFiles,
  before: HeldLock | undefined,
  ports: RequestPorts,
): Promise<RequestedLock> {
  const {name, bytes} = base.declaration
  const file = bytes === undefined ? undefined : {name, bytes}
  const lockOf = async (text: string, own = settings, kept = before) => {
    const inputs = withContent(ports.inputs, name, text)
    const query = {kind: 'declaration', file: name, settings: own} as const
    const report = await lockRequest(await readRequest(query, {...ports, inputs}), kept)
    return {settings: own, text, report, notes: []}
  }
  if (request.kind === 'install') return await lockOf(installText(request, declared, file, name))
  if (request.kind === 'uninstall') {
    const step = nextRemoval(request, base)
    const removal = await lockOf(step.text, {...settings, isRemoval: true})
    const {unused} = removal.report
    const adds = addsPackages(removal.report)
    if (unused.length === 0) return {...(adds ? await lockOf(step.text) : removal), step}
    const text = withoutFields({name, bytes: Buffer.from(step.text)}, unused)
    const locked = await lockOf(text, adds ? settings : removal.settings)
    return {...locked, notes: [removedNote(unused)], step}
  }
  if (file === undefined) throw noDeclaration(name)
  if (takesOther(request))
    return await lockOfOther(request, file, before, async (text, lock) => await lockOf(text, settings, lock))
  const replacing = replacingOf(request, settingFlags)
  const pinned = withReplacedPins(file, declared.xpkg, replacing)
  const xpkg = withFittingPin(file, declared.xpkg, replacing)
  const text = withSettings(pinned, {...declared, ...present({xpkg})}, replacing)
  if (request.keepsVersions === true) return await lockOf(text)
  return await lockOfUpgrade({name, text, names: request.names, settings}, before, ports)
}

/** A request for the versions of another lock: an earlier one, that of another home, or one in which packages have moved. */
type OtherLockRequest = Extract<GitQuery['request'], {readonly kind: 'rollback' | 'promote' | 'move'}>

function takesOther(request: GitQuery['request']): request is OtherLockRequest {
  return request.kind === 'rollback' || request.kind === 'promote' || request.kind === 'move'
}

async function lockOfOther(
  request: OtherLockRequest,
  file: DeclarationFile,
  before: HeldLock | undefined,
  lockOf: (text: string, lock: HeldLock) => Promise<RequestedLock>,
): Promise<RequestedLock> {
  if (request.kind === 'promote') return await promotedLock(request, file, before, lockOf)
  if (request.kind === 'move') {
    const moved = movedDeclaration(request, file, before)
    return await lockOf(moved.text, moved.lock)
  }
  const {text, lock, former} = rolledBack(request, file, before)
  const locked = await lockOf(text, lock)
  expectFormerVersion(locked.report.lock, former)
  return locked
}

/** A change of the resolver can replace the settings that it is about. */
function replacingOf(
  {keepsVersions}: Extract<GitQuery['request'], {readonly kind: 'upgrade'}>,
  {changeSettings}: GitQuery['settingFlags'],
): {readonly replaces: boolean} | undefined {
  return keepsVersions === true ? {replaces: changeSettings} : undefined
}

async function lockOfUpgrade(
  {
    name,
    text,
    settings,
    ...request
  }: Pick<RequestedLock, 'text' | 'settings'> & {readonly name: string; readonly names: readonly string[]},
  before: HeldLock | undefined,
  ports: RequestPorts,
): Promise<RequestedLock> {
  const names = declaredNames({name, bytes: Buffer.from(text)}, {...request, lock: before?.lock})
  const inputs = withContent(ports.inputs, name, names.text)
  const report = await upgradedLock(before, {names, settings, file: name}, {...ports, inputs})
  return {settings, text: names.text, report, notes: pinnedNote(names.pinned)}
}

/** The declaration and the lock to resolve with for a rollback. What changes is compared with the present lock. */
function rolledBack(
  {former}: Extract<GitQuery['request'], {readonly kind: 'rollback'}>,
  file: DeclarationFile,
  before: HeldLock | undefined,
): {readonly text: string; readonly lock: HeldLock; readonly former: FormerPackage} {
  if (former === undefined || before === undefined) throw noDeclaration(file.name)
  const lock = {...before, lock: withFormerVersion(before.lock, former), replaced: before.lock}
  return {text: withFormerPin(file, former), lock, former}
}

/** A family that a newer version requires can bring others in turn. */
const MAX_PROMOTION_STEPS = 20

/** Resolves with the versions of another home until no package is selected here that was not selected there. */
async function promotedLock(
  {source, only}: Extract<GitQuery['request'], {readonly kind: 'promote'}>,
  file: DeclarationFile,
  before: HeldLock | undefined,
  lockOf: (text: string, lock: HeldLock) => Promise<RequestedLock>,
): Promise<RequestedLock> {
  if (source === undefined || before === undefined) throw noDeclaration(file.name)
  const chosen = promotedPackages(source, before, only)
  let moved = chosen.moved
  for (let step = 1; ; step += 1) {
    const lock = withPromotedVersions(before.lock, moved, source.lock)
    const text = withPromotedPins(file, moved, source.lock)
    const locked = await lockOf(text, {...before, lock, replaced: before.lock})
    const further = alsoPromoted(before.lock, locked.report.lock, moved, source.lock)
    if (further.length > 0) {
      if (step === MAX_PROMOTION_STEPS) throw tooManySteps(further, source)
      moved = [...moved, ...further]
      continue
    }
    expectPromoted(locked.report.lock, moved, source)
    return {
      ...locked,
      notes: [...locked.notes, ...promotionNotes(chosen, [before.lock, locked.report.lock], source)],
    }
  }
}

/** A set of which a part has other versions than those of the source was tried nowhere. */
function tooManySteps(further: readonly string[], {name}: PromotionSource): CrossplaneError {
  const message = `cannot promote packages: after ${MAX_PROMOTION_STEPS} resolutions, ${listNames(further)} still had other versions than those of ${name}`
  return new CrossplaneError('unresolvable', message, {
    suggestions: ['Promote fewer packages at once: name them with --only.'],
  })
}

/** Names what is not promoted because only one of both homes has it. */
function promotionNotes(
  {onlyInSource, onlyInTarget}: PromotedPackages,
  [before, lock]: readonly [Lock, Lock],
  {name}: PromotionSource,
): readonly Diagnostic[] {
  const [old, own] = [lockedVersions(before), lockedVersions(lock)]
  const kept = onlyInTarget.filter(repository => own.get(repository) === old.get(repository))
  const changed = onlyInTarget.filter(repository => !kept.includes(repository))
  const left = onlyInSource.filter(repository => !own.has(repository))
  const notes = [
    ...(left.length === 0 ? [] : [`only ${name} has ${listNames(left)}: not promoted`]),
    ...(kept.length === 0 ? [] : [`${name} does not have ${listNames(kept)}: not changed`]),
    ...(changed.length === 0
      ? []
      : [`${name} does not have ${listNames(changed)}, which change with what is promoted`]),
  ]
  return notes.map(message => ({severity: 'note', rule: 'promotion-one-side', message}))
}

function installText(
  {entry}: Extract<GitQuery['request'], {readonly kind: 'install'}>,
  declared: GitQuery['declared'],
  file: DeclarationFile | undefined,
  name: string,
): string {
  const entered = withEntry(file, entry, declared.defaultSource)
  return withSettings({name, bytes: Buffer.from(entered)}, declared)
}

/** Returns the declaration that a command writes to a home without one; undefined if it writes none. */
export function newDeclaration({request, declared}: GitQuery, {declaration}: HomeFiles): string | undefined {
  if (request.kind !== 'install' || declaration.bytes !== undefined) return undefined
  return installText(request, declared, undefined, declaration.name)
}

/** They would be an error for the packages that are left. */
function removedNote(fields: readonly string[]): Diagnostic {
  const message = `${listNames(fields)} left the declaration with the last entry that ${fields.length === 1 ? 'it was' : 'they were'} for`
  return {severity: 'note', rule: 'declaration-no-effect', message}
}

/** A declaration that was edited since it was locked can request more than is removed. */
function addsPackages({changes}: LockReport): boolean {
  return changes.packages.some(({change}) => !['removed', 'installs', 'signatures'].includes(change))
}

/** Plans the next step of an uninstall. Throws `not-found` as `removalStep` does. */
export function nextRemoval(request: RemovalRequest, base: HomeFiles): RemovalStep {
  const {name, bytes} = base.declaration
  if (bytes === undefined) throw noDeclaration(name)
  return removalStep({name, bytes}, heldLock(base)?.lock, request)
}
