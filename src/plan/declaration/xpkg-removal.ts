import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {Lock, LockedXpkg} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withoutPackage} from '../../declaration/remove-package.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import {listSome, quoted} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {RemovalStep} from './removal-step.js'

/** Returns the locked packages for a current Crossplane of a name: that of a request, or a repository. */
export function xpkgsNamed(name: string, lock: Lock | undefined): readonly LockedXpkg[] {
  const all = lock?.xpkgs ?? []
  return all.filter(({repository}) => repository === name || derivedName(repository) === name)
}

/**
 * Plans the uninstall of a package for a current Crossplane, which takes one commit: no controller prunes its request, so
 * that nothing is deleted before a user does it. Throws `not-found` for a package that the declaration does not request.
 */
export function xpkgRemoval(file: DeclarationFile, lock: Lock, name: string): RemovalStep {
  const [xpkg, other] = xpkgsNamed(name, lock)
  if (xpkg === undefined || other !== undefined) throw ambiguous(name, lock)
  const {repository} = xpkg
  const dependents = (lock.xpkgs ?? []).flatMap(({repository: by, requires}) =>
    by !== repository && requires[repository] !== undefined ? [by] : [],
  )
  return {
    key: repository,
    stage: 'unrequested',
    text: withoutPackage(file, entryOf(repository, file)),
    subject: `Uninstall ${repository}`,
    rejections: dependents.length === 0 ? [] : [requiredBy(repository, dependents)],
  }
}

function ambiguous(name: string, lock: Lock): CrossplaneError {
  const names = xpkgsNamed(name, lock).map(({repository}) => repository)
  return new CrossplaneError(
    'not-found',
    `cannot uninstall ${quoted(name)}: several packages have this name`,
    {
      suggestions: [`Use one of ${listSome(names)}.`],
    },
  )
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

function requiredBy(repository: string, dependents: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    rule: 'required-install',
    message: `${repository} is required by ${listSome(dependents)}`,
    suggestions: ['Uninstall the packages that require it first.'],
  }
}
