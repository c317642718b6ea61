import {type DeclarationFile, textOf} from '../../declaration/edit-declaration.js'
import {installKey, type Lock} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withMark, withoutPackage} from '../../declaration/remove-package.js'
import {CrossplaneError} from '../../errors.js'
import {fullForm, namedIn, nearNames, notFound, oneNamedIn} from '../../reference/named.js'
import {listSome} from '../../text.js'
import {entriesFor, type InstalledEntry} from './installed-entries.js'
import {type Removal, type RemovalStage, type RemovalStep, requiredBy, STAGES} from './removal-step.js'
import {xpkgRemovals} from './xpkg-removal.js'

/** An install by name, or by NAMESPACE/NAME. */
export interface RemovalRequest {
  readonly name: string
  /** The last stage to reach, where it was decided for an earlier commit: the next one may not follow before a deployment. */
  readonly stage?: RemovalStage
}

/**
 * Plans the next step of an uninstall. A package of Crossplane v0.12 takes three: the install no longer claims CRDs; only its CRDs
 * stay; these are removed. Throws `not-found` for an install that the lock does not have, unless an earlier commit decided the step,
 * and `usage` for a name that several installs have.
 */
export function removalStep(
  file: DeclarationFile,
  lock: Lock | undefined,
  {name, stage: last}: RemovalRequest,
): RemovalStep {
  const all = removalsIn(lock)
  if (last !== undefined && !all.some(({key}) => key === name))
    return {text: textOf(file.bytes), rejections: [], key: name, stage: last}
  return findRemoval(name, all).step(file, last)
}

function removalsIn(lock: Lock | undefined): readonly Removal[] {
  if (lock === undefined) return []
  const stacks = installsIn(lock).map(install => ({
    key: install.key,
    namespace: install.namespace,
    name: install.name,
    repository: install.identity,
    step: (file: DeclarationFile, last: RemovalStage | undefined) => stackStep(file, install, last),
  }))
  return [...stacks, ...xpkgRemovals(lock)]
}

function findRemoval(name: string, all: readonly Removal[]): Removal {
  const match = oneNamedIn({text: name, action: 'uninstall'}, all)
  if (match !== undefined) return match
  const near = nearNames({text: name}, all)
  const forms = all.map(fullForm)
  const suggestions = near.length > 0 || forms.length === 0 ? near : [`Use one of ${listSome(forms)}.`]
  throw notFound({kind: 'package', name, place: 'the lock'}, suggestions)
}

function stackStep(
  file: DeclarationFile,
  install: FoundInstall,
  last: RemovalStage | undefined,
): RemovalStep {
  const {key, dependents} = install
  const {index, entry} = findEntry(file, install)
  const stage = entry.draining !== true ? 'draining' : entry.crdsOnly !== true ? 'crds-only' : 'removed'
  if (isAfter(stage, last)) return {text: textOf(file.bytes), rejections: [], key, stage: last ?? stage}
  return {
    key,
    stage,
    ...edited(stage, {file, index, key}),
    rejections: requiredBy(key, dependents, 'installs'),
  }
}

function isAfter(stage: (typeof STAGES)[number], last: RemovalStage | undefined): boolean {
  const place = STAGES.findIndex(other => other === last)
  return place !== -1 && STAGES.indexOf(stage) > place
}

function edited(
  stage: (typeof STAGES)[number],
  {file, index, key}: {readonly file: DeclarationFile; readonly index: number; readonly key: string},
): Pick<RemovalStep, 'text' | 'subject'> {
  switch (stage) {
    case 'draining':
      return {text: withMark(file, index, 'draining'), subject: `Drain ${key}`}
    case 'crds-only':
      return {text: withMark(file, index, 'crdsOnly'), subject: `Uninstall ${key}`}
    case 'removed':
      return {text: withoutPackage(file, index), subject: `Uninstall the CRDs of ${key}`}
  }
}

/** Returns the installs that are no longer being uninstalled after a change of a declaration, as NAMESPACE/NAME. */
export function resumedInstalls(
  before: Pick<DeclarationFile, 'name'> & {readonly bytes?: Uint8Array},
  after: DeclarationFile,
  lock: Lock,
): readonly string[] {
  if (before.bytes === undefined) return []
  const [old, next] = [readDeclaration(before.name, before.bytes), readDeclaration(after.name, after.bytes)]
  if (!old.packages.some(isDraining)) return []
  return installsIn(lock).flatMap(install => {
    const [was, is] = [old, next].map(declaration => entriesFor(install, declaration))
    const isDrained = was?.some(({entry}) => isDraining(entry)) === true
    return isDrained && is?.some(({entry}) => !isDraining(entry)) === true ? [install.key] : []
  })
}

function isDraining({draining}: {readonly draining?: boolean}): boolean {
  return draining === true
}

/** Reports whether a lock has an install of a name, or of its key. */
export function hasInstall(lock: Lock, name: string): boolean {
  return namedIn({text: name, action: 'uninstall'}, removalsIn(lock)).length > 0
}

interface FoundInstall extends InstalledEntry {
  /** NAMESPACE/NAME. */
  readonly key: string
  /** The installs that require it. */
  readonly dependents: readonly string[]
}

function installsIn(lock: Lock | undefined): readonly FoundInstall[] {
  return (lock?.packages ?? []).flatMap(({identity, installs}) =>
    installs.map(install => ({
      ...install,
      identity,
      key: installKey(install),
      dependents: Object.keys(install.for),
    })),
  )
}

function findEntry(file: DeclarationFile, install: FoundInstall) {
  const matching = entriesFor(install, readDeclaration(file.name, file.bytes))
  const [only, other] = matching
  if (only !== undefined && other === undefined) return only
  const cause =
    only === undefined ? `${file.name} does not request it` : `several entries of ${file.name} request it`
  throw new CrossplaneError('not-found', `cannot uninstall ${install.key}: ${cause}`, {
    suggestions: ['Uninstall the package that requires it, or edit the declaration by hand.'],
  })
}
