import type {DeclaredPackage} from '../../declaration/declaration.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {installKey, type Lock} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withMark, withoutPackage} from '../../declaration/remove-package.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {listSome, nearest, quoted} from '../../text.js'
import {declaredEntries} from '../cluster/declared-names.js'

/** The next step of an uninstall: what the declaration becomes, and why it must not be committed. */
export interface RemovalStep {
  readonly text: string
  readonly subject: string
  /** The package whose instances are assumed not to exist. */
  readonly assumed?: string
  readonly rejections: readonly Diagnostic[]
}

/** An install by name, or by NAMESPACE/NAME, and whether the user vouches that no instances exist. */
export interface RemovalRequest {
  readonly name: string
  readonly assumeNoInstances: boolean
}

/**
 * Plans the next step of an uninstall: the install no longer claims CRDs; only its CRDs stay; these are removed. Throws
 * `not-found` for an install that the lock does not have.
 */
export function removalStep(
  file: DeclarationFile,
  lock: Lock | undefined,
  {name, assumeNoInstances}: RemovalRequest,
): RemovalStep {
  const found = findInstall(name, lock)
  const {index, entry} = findEntry(file, found)
  const {key, dependents} = found
  const needed = dependents.length === 0 ? [] : [requiredBy(key, dependents)]
  if (entry.draining !== true) {
    return {text: withMark(file, index, 'draining'), subject: `Drain ${key}`, rejections: needed}
  }
  const isFirst = entry.crdsOnly !== true
  return {
    text: isFirst ? withMark(file, index, 'crdsOnly') : withoutPackage(file, index),
    subject: isFirst ? `Uninstall ${key}` : `Uninstall the CRDs of ${key}`,
    assumed: found.identity,
    rejections: [...needed, ...(assumeNoInstances ? [] : [instancesPossible(key)])],
  }
}

/** Returns a rejection if packages leave the lock that were not requested to be uninstalled. */
export function lostPackages(before: Lock | undefined, after: Lock, removed: string): readonly Diagnostic[] {
  const left = new Set(after.packages.map(({identity}) => identity))
  const lost = (before?.packages ?? []).flatMap(({identity}) =>
    left.has(identity) || identity === removed ? [] : [identity],
  )
  const [first] = lost
  if (first === undefined) return []
  const message = `${listSome(lost)} would be removed at once: no other package requires it`
  return [
    {
      severity: 'error',
      rule: 'unused-dependency',
      message,
      suggestions: [`Add ${first} to the declaration with package install, then uninstall it in steps.`],
    },
  ]
}

interface FoundInstall {
  /** NAMESPACE/NAME. */
  readonly key: string
  readonly identity: string
  readonly namespace: string
  readonly name: string
  readonly requestedFor: readonly string[]
  /** The installs that require it. */
  readonly dependents: readonly string[]
}

function findInstall(name: string, lock: Lock | undefined): FoundInstall {
  const all = (lock?.packages ?? []).flatMap(({identity, installs}) =>
    installs.map(install => ({
      identity,
      key: installKey(install),
      namespace: install.namespace,
      name: install.name,
      requestedFor: install.requestedFor,
      dependents: Object.keys(install.for),
    })),
  )
  const found = all.filter(each => each.key === name || each.name === name)
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  const keys = (first === undefined ? all : found).map(({key}) => key)
  const cause = first === undefined ? 'the lock has no such install' : 'several installs have this name'
  const near = nearest(name, keys)
  throw new CrossplaneError('not-found', `cannot uninstall ${quoted(name)}: ${cause}`, {
    suggestions: keys.length === 0 ? [] : [`Name one of ${near ?? listSome(keys)}.`],
  })
}

function findEntry(file: DeclarationFile, {key, identity, namespace, name, requestedFor}: FoundInstall) {
  const declaration = readDeclaration(file.name, file.bytes)
  const {packages} = declaration
  const {all} = declaredEntries(declaration, declaration.defaultSource)
  const named = new Set(all.flatMap(each => (each.identity === identity ? [each.index] : [])))
  const matching = packages.flatMap((entry: DeclaredPackage, index) => {
    const isPackage = named.has(index) || (entry.crd !== undefined && requestedFor.includes(entry.crd))
    const isPlace = (entry.namespace ?? namespace) === namespace && (entry.name ?? name) === name
    return isPackage && isPlace ? [{index, entry}] : []
  })
  const [only, other] = matching
  if (only !== undefined && other === undefined) return only
  const cause =
    only === undefined ? `${file.name} does not request it` : `several entries of ${file.name} request it`
  throw new CrossplaneError('not-found', `cannot uninstall ${key}: ${cause}`, {
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

function instancesPossible(key: string): Diagnostic {
  return {
    severity: 'error',
    rule: 'instances-possible',
    message: `${key} is draining, and instances of its CRDs can exist`,
    suggestions: ['Pass --assume-no-instances if no cluster of this tree has instances of its CRDs.'],
  }
}
