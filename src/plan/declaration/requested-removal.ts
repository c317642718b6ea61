import {type DeclarationFile, textOf} from '../../declaration/edit-declaration.js'
import {installKey, type Lock} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withMark, withoutPackage} from '../../declaration/remove-package.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {listSome, nearest, quoted} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'
import {entriesFor, type InstalledEntry} from './installed-entries.js'
import {type RemovalStage, type RemovalStep, STAGES} from './removal-step.js'
import {xpkgRemoval, xpkgsNamed} from './xpkg-removal.js'

/** An install by name, or by NAMESPACE/NAME. */
export interface RemovalRequest {
  readonly name: string
  /** The last stage to reach, where it was decided for an earlier commit: the next one may not follow before a deployment. */
  readonly stage?: RemovalStage
}

/**
 * Plans the next step of an uninstall: the install no longer claims CRDs; only its CRDs stay; these are removed. Throws
 * `not-found` for an install that the lock does not have, unless an earlier commit decided the step.
 */
export function removalStep(
  file: DeclarationFile,
  lock: Lock | undefined,
  request: RemovalRequest,
): RemovalStep {
  const {name} = request
  const isXpkg = lock !== undefined && xpkgsNamed(name, lock).length > 0 && !hasStack(lock, name)
  return isXpkg ? xpkgRemoval(file, lock, name) : stackRemoval(file, lock, request)
}

function stackRemoval(
  file: DeclarationFile,
  lock: Lock | undefined,
  {name, stage: last}: RemovalRequest,
): RemovalStep {
  const unchanged = {text: textOf(file.bytes), rejections: []}
  const all = installsIn(lock)
  if (last !== undefined && !all.some(({key}) => key === name)) return {...unchanged, key: name, stage: last}
  const install = findInstall(name, all, lock)
  const {key, dependents} = install
  const {index, entry} = findEntry(file, install)
  const stage = entry.draining !== true ? 'draining' : entry.crdsOnly !== true ? 'crds-only' : 'removed'
  if (isAfter(stage, last)) {
    return {...unchanged, key, stage: last ?? stage}
  }
  const needed = dependents.length === 0 ? [] : [requiredBy(key, dependents)]
  return {key, stage, ...edited(stage, {file, index, key}), rejections: needed}
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

/** Reports whether a lock has an install of a name, or of NAMESPACE/NAME, or a package for a current Crossplane. */
export function hasInstall(lock: Lock, name: string): boolean {
  return hasStack(lock, name) || xpkgsNamed(name, lock).length > 0
}

function hasStack(lock: Lock, name: string): boolean {
  return installsIn(lock).some(install => install.key === name || install.name === name)
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

function findInstall(name: string, all: readonly FoundInstall[], lock: Lock | undefined): FoundInstall {
  const matches = all.filter(install => install.key === name || install.name === name)
  const [first, second] = matches
  if (first !== undefined && second === undefined) return first
  const xpkgs = (lock?.xpkgs ?? []).map(({repository}) => derivedName(repository))
  const keys = first === undefined ? [...all.map(({key}) => key), ...xpkgs] : matches.map(({key}) => key)
  const cause = first === undefined ? 'not found in the lock' : 'several installs have this name'
  const near = nearest(name, keys)
  throw new CrossplaneError('not-found', `cannot uninstall ${quoted(name)}: ${cause}`, {
    suggestions: keys.length === 0 ? [] : [`Use one of ${near ?? listSome(keys)}.`],
  })
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

function requiredBy(key: string, dependents: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    rule: 'required-install',
    message: `${key} is required by ${listSome(dependents)}`,
    suggestions: ['Uninstall the installs that require it first.'],
  }
}
