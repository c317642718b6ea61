import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {type Lock, lockedNames, type LockedXpkg} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withoutPackage} from '../../declaration/remove-package.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import {type Removal, type RemovalStep, requiredBy} from './removal-step.js'

/**
 * Returns the packages for a current Crossplane of a lock. An uninstall takes one commit: no controller prunes the request, so
 * that nothing is deleted before a user does it. It throws `not-found` for a package that the declaration does not request.
 */
export function xpkgRemovals({xpkgs = []}: Pick<Lock, 'xpkgs'>): readonly Removal[] {
  return lockedNames({packages: [], xpkgs}).map(named => {
    const {repository} = named
    return {...named, key: repository, step: file => xpkgStep(file, repository, xpkgs)}
  })
}

function xpkgStep(file: DeclarationFile, repository: string, all: readonly LockedXpkg[]): RemovalStep {
  const dependents = all.flatMap(({repository: by, requires}) =>
    by !== repository && requires[repository] !== undefined ? [by] : [],
  )
  return {
    key: repository,
    stage: 'unrequested',
    text: withoutPackage(file, entryOf(repository, file)),
    subject: `Uninstall ${repository}`,
    rejections: requiredBy(repository, dependents, 'packages'),
  }
}

function entryOf(repository: string, file: DeclarationFile): number {
  const {packages, defaultSource} = readDeclaration(file.name, file.bytes)
  const places = packages.flatMap(({package: reference = ''}, index) => {
    const name = parseImageName(reference)
    return name !== undefined && repositoryName(name, defaultSource) === repository ? [index] : []
  })
  const [only, other] = places
  if (only !== undefined && other === undefined) return only
  const cause = only === undefined ? 'does not request it' : 'requests it several times'
  throw new CrossplaneError('not-found', `cannot uninstall ${repository}: ${file.name} ${cause}`, {
    suggestions: ['Uninstall the package that requires it, or edit the declaration by hand.'],
  })
}
