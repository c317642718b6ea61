import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import {type Lock, lockedNames} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withoutPackage} from '../../declaration/remove-package.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import {listAll} from '../../text.js'
import {type Removal, type RemovalStep, requiredBy} from './removal-step.js'

/**
 * Returns the packages for a current Crossplane of a lock. An uninstall takes one commit: no controller prunes the request, so
 * that nothing is deleted before a user does it. It throws `not-found` for a package that the declaration does not request.
 */
export function xpkgRemovals(lock: LockedPart): readonly Removal[] {
  return lockedNames({...lock, packages: []}).map(named => {
    const {repository} = named
    return {...named, key: repository, step: file => xpkgStep(file, repository, lock)}
  })
}

type LockedPart = Pick<Lock, 'packages' | 'xpkgs'>

function xpkgStep(file: DeclarationFile, repository: string, lock: LockedPart): RemovalStep {
  const dependents = (lock.xpkgs ?? []).flatMap(({repository: by, requires}) =>
    by !== repository && requires[repository] !== undefined ? [by] : [],
  )
  return {
    key: repository,
    stage: 'unrequested',
    text: withoutPackage(file, entryOf(repository, file, lock)),
    subject: `Uninstall ${repository}`,
    rejections: requiredBy(repository, dependents, 'packages'),
  }
}

function entryOf(repository: string, file: DeclarationFile, lock: LockedPart): number {
  const {packages, defaultSource} = readDeclaration(file.name, file.bytes)
  const named = packages.map(({package: reference = ''}) => {
    const name = parseImageName(reference)
    return name && repositoryName(name, defaultSource)
  })
  const places = named.flatMap((name, index) => (name === repository ? [index] : []))
  const [only, other] = places
  if (only !== undefined && other === undefined) return only
  const byCrd = only === undefined ? crdEntry(repository, {packages, named, lock}) : undefined
  if (byCrd !== undefined) return byCrd
  const cause = only === undefined ? 'does not request it' : 'requests it several times'
  throw new CrossplaneError('not-found', `cannot uninstall ${repository}: ${file.name} ${cause}`, {
    suggestions: ['Uninstall the package that requires it, or edit the declaration by hand.'],
  })
}

/** Rejects the removal of a package that another entry of the declaration requests, such as one of a CRD. */
export function stillRequested(
  {key, stage, text}: Pick<RemovalStep, 'key' | 'stage' | 'text'>,
  {xpkgs = []}: Pick<Lock, 'xpkgs'>,
): readonly Diagnostic[] {
  const isLeft = xpkgs.some(({repository, mode}) => repository === key && mode === 'requested')
  if (stage !== 'unrequested' || !isLeft) return []
  const crds = readDeclaration('', Buffer.from(text)).packages.flatMap(({crd}) =>
    crd === undefined ? [] : [`crd: ${crd}`],
  )
  return [
    {
      severity: 'error',
      rule: 'required-install',
      message: `another entry of the declaration requests ${key}`,
      suggestions: [`Remove its entry by hand: ${listAll(crds, 'or')}.`],
    },
  ]
}

/** A declaration, the repositories that its entries name, and its lock. */
interface Requested {
  readonly packages: readonly DeclaredPackage[]
  readonly named: readonly (string | undefined)[]
  readonly lock: LockedPart
}

/**
 * Returns the entry of a CRD that led to a package, which a lock does not say: the only one that led to no install, if no other
 * package is left. Undefined if no entry of a CRD can have; throws `not-found` if several can.
 */
function crdEntry(repository: string, {packages, named, lock}: Requested): number | undefined {
  const ofInstalls = lock.packages.flatMap(({installs}) => installs.flatMap(({requestedFor}) => requestedFor))
  const entries = packages.flatMap(({crd}, index) =>
    crd === undefined || ofInstalls.includes(crd) ? [] : [{crd, index}],
  )
  const left = (lock.xpkgs ?? []).filter(one => one.mode === 'requested' && !named.includes(one.repository))
  const [first, second] = entries
  if (first === undefined || !left.some(one => one.repository === repository)) return undefined
  if (second === undefined && left.length === 1) return first.index
  const message = `cannot uninstall ${repository}: which CRD requests it is unknown`
  const crds = listAll(
    entries.map(({crd}) => `crd: ${crd}`),
    'or',
  )
  throw new CrossplaneError('not-found', message, {suggestions: [`Remove its entry by hand: ${crds}.`]})
}
