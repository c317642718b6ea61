import {type DeclarationFile, textOf} from '../../declaration/edit-declaration.js'
import type {Lock, LockedPackage, LockedXpkg} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withTag} from '../../declaration/with-tag.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {escaped} from '../../text.js'
import {isExcluded} from '../../xpkg/constraints/constraint.js'
import {CONSTRAINT_RULES} from '../../xpkg/constraints/constraint-rules.js'
import {declaredEntries, declaredNames} from './declared-names.js'

/** What a lock had of a package, in one of the formats. */
interface FormerVersion {
  readonly repository: string
  readonly stack?: LockedPackage
  readonly xpkg?: LockedXpkg
}

/**
 * Returns the text of a declaration in which a pin of a package is the former version, by digest if it was so; an entry without a pin stays, because its lock
 * decides. Throws `input-invalid` for a pin that cannot be moved.
 */
export function withFormerPin(file: DeclarationFile, {repository, stack, xpkg}: FormerVersion): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const {all} = declaredEntries(declaration, declaration.defaultSource)
  const own = all.filter(
    ({identity, image}) => identity === repository && (image.tag ?? image.digest) !== undefined,
  )
  const {tag, digest} = stack ?? xpkg ?? {}
  if (tag === undefined && digest !== undefined)
    return own
      .filter(({image}) => image.tag !== undefined || image.digest !== digest)
      .reduce(
        (text, {index}) => withTag({...file, bytes: Buffer.from(text)}, index, digest),
        textOf(file.bytes),
      )
  const isPinned = own.length > 0 && tag !== undefined
  return declaredNames(file, {names: [isPinned ? `${repository}:${tag}` : repository]}).text
}

/** Returns a lock that has the former version of a package, whose request keeps its present name. */
export function withFormerVersion(lock: Lock, {repository, stack, xpkg}: FormerVersion): Lock {
  return {
    ...lock,
    packages: lock.packages.map(own =>
      own.identity === repository && stack !== undefined ? {...stack, installs: own.installs} : own,
    ),
    ...(lock.xpkgs === undefined || xpkg === undefined
      ? {}
      : {xpkgs: lock.xpkgs.map(own => (own.repository === repository ? renamed(xpkg, own) : own))}),
  }
}

/** Throws `unresolvable`, with the constraints on a package, for a lock that does not have its former version. */
export function expectFormerVersion(lock: Lock, {repository, stack, xpkg}: FormerVersion): void {
  const former = versionOf(stack ?? xpkg)
  const selected = versionOf(
    stack === undefined
      ? lock.xpkgs?.find(own => own.repository === repository)
      : lock.packages.find(({identity}) => identity === repository),
  )
  if (selected === former) return
  const cause = selected === '' ? 'nothing requires it' : `the constraints select ${escaped(selected)}`
  const message = `cannot roll back ${escaped(repository)} to ${escaped(former)}: ${cause}`
  throw new CrossplaneError('unresolvable', message, {
    diagnostics: constraintErrors(repository, lock, former),
    suggestions: ['Change these constraints first, or pass --to with a commit that has another version.'],
  })
}

/** Returns the constraints on a package that exclude a version; all of them if none does alone. */
export function constraintErrors(repository: string, lock: Lock, version: string): readonly Diagnostic[] {
  const all = constraintsOn(repository, lock)
  const excluding = all.filter(({text}) => isExcluded(version, text, CONSTRAINT_RULES))
  return (excluding.length === 0 ? all : excluding).map(({by, text}) => ({
    severity: 'error',
    rule: 'unresolvable',
    message: `${escaped(by)} requires ${escaped(repository)} ${escaped(text)}`,
    subject: {package: repository, requirement: text},
  }))
}

function versionOf({tag, digest}: Partial<Pick<LockedXpkg, 'tag' | 'digest'>> = {}): string {
  return tag ?? digest ?? ''
}

interface PackageConstraint {
  readonly by: string
  readonly text: string
}

/** What the declaration and other packages require of a package. */
function constraintsOn(repository: string, {packages, xpkgs = []}: Lock): readonly PackageConstraint[] {
  const installs = packages.flatMap(own => (own.identity === repository ? own.installs : []))
  const xpkg = xpkgs.find(own => own.repository === repository)
  const declared = [...installs, ...(xpkg === undefined ? [] : [xpkg])].flatMap(own => own.requestedAs ?? [])
  const requiring = [
    ...installs.flatMap(own => Object.entries(own.for)),
    ...xpkgs.map(own => [`${own.repository}:${versionOf(own)}`, own.requires[repository] ?? []] as const),
  ]
  return [['the declaration', declared] as const, ...requiring].flatMap(([by, texts]) =>
    texts.map(text => ({by, text})),
  )
}

function renamed({name: _former, ...xpkg}: LockedXpkg, {name}: LockedXpkg): LockedXpkg {
  return {...xpkg, ...present({name})}
}
