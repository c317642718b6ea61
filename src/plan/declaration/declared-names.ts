import type {Declaration} from '../../declaration/declaration.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {type Lock, lockedNames} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {type EntryPlace, entryPlace, withTag} from '../../declaration/with-tag.js'
import {CrossplaneError} from '../../errors.js'
import {formatImageName, type ImageName, parseImageName} from '../../reference/image-name.js'
import {type Nameable, namedToRead, nearNames, notFound} from '../../reference/named.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {Identify} from '../../resolve/requirement.js'
import {present} from '../../present.js'
import {listSome} from '../../text.js'
import {identifier, repositoryNames} from '../../resolve/repository-names.js'
import type {XpkgPin} from '../../xpkg/pins.js'

/** The packages of a declaration that a command line names, and the edited declaration. */
export interface DeclaredNames {
  /** The identities of the named packages, in their order. */
  readonly named: readonly string[]
  /** The identities of the packages of the declaration. */
  readonly declared: ReadonlySet<string>
  /** What else names them: the requests and installs of the declaration and its lock. */
  readonly nameables: readonly Nameable[]
  /** The declaration with the pins that the names move. */
  readonly text: string
  /** The moves of pins, as `PACKAGE[:TAG] -> PACKAGE:TAG`. */
  readonly moves: readonly string[]
  /** The named packages that stay at their pins, all without names, as `PACKAGE (PIN)`, and which of them are edited by hand. */
  readonly pinned: readonly string[]
}

/** The names of packages, and the registry of repositories without one. */
export interface NamesQuery {
  /** Packages by repository, with a tag to move the pin; none for all. */
  readonly names: readonly string[]
  /** Takes precedence over the one of the declaration. */
  readonly defaultSource?: string | undefined
  /** Has the names of installs and requests. */
  readonly lock?: Lock | undefined
  /** How packages are pinned that the declaration does not pin. */
  readonly pin?: XpkgPin | undefined
}

/**
 * Finds named packages in a declaration, and moves the pins of those with a tag. Throws `usage`, `not-found` for a pin
 * of a package that it does not request, and `input-invalid` for one that cannot be moved.
 */
export function declaredNames(
  file: DeclarationFile,
  {names, defaultSource, lock, pin: usual}: NamesQuery,
): DeclaredNames {
  const declaration = readDeclaration(file.name, file.bytes)
  const entries = declaredEntries(declaration, defaultSource ?? declaration.defaultSource, usual)
  const nameables = nameablesIn(entries, lock)
  const images = names.map(text => ({...parsePackageImage(text), text}))
  const named = images.map(({tag: _tag, digest: _digest, text: _text, ...name}) =>
    identityNamed(formatImageName(name), nameables, entries),
  )
  expectOnce(named)
  const withDigest = images.find(({digest}) => digest !== undefined)
  if (withDigest !== undefined) throw digestNamed(withDigest.text)
  const xpkgs = lock && new Set((lock.xpkgs ?? []).map(({repository}) => repository))
  const movable = {...entries, xpkgs, nameables}
  const moves = images.flatMap(({tag}, place) => pinMove(movable, named[place] ?? '', tag, file))
  const edited = moves.reduce(
    (bytes, {index, tag, pin}): Uint8Array => Buffer.from(withTag({...file, bytes}, index, tag, pin)),
    file.bytes,
  )
  const staying = new Set(named.filter((_, place) => images[place]?.tag === undefined))
  const isStaying = ({identity}: DeclaredEntry) => names.length === 0 || staying.has(identity)
  return {
    named,
    nameables,
    declared: new Set(entries.all.map(({identity}) => identity)),
    text: new TextDecoder('utf-8', {ignoreBOM: true}).decode(edited),
    moves: moves.map(({before, after}) => `${before} -> ${after}`),
    pinned: entries.all.filter(isStaying).flatMap(entry => pinText(entry, xpkgs)),
  }
}

/** An entry of a declaration that names a package. */
interface DeclaredEntry {
  readonly index: number
  readonly reference: string
  readonly image: ImageName
  readonly identity: string
  readonly range?: string
  readonly name?: string
  readonly namespace?: string
  /** Whether it is requested by the digest of the lock, also with a tag in the declaration: by its own pin, or as an xpkg by that of all. */
  readonly isPinned: boolean | 'as-xpkg'
  /** Whether nothing fixes the content of a tag. */
  readonly isByTag: boolean
}

/** The entries that name packages, and the names of any other repositories. */
interface DeclaredEntries {
  readonly all: readonly DeclaredEntry[]
  readonly identify: Identify
}

/** Returns the entries of a declaration that name packages. @param usual - how those are pinned that it does not pin. */
export function declaredEntries(
  {packages, xpkg}: Pick<Declaration, 'packages' | 'xpkg'>,
  defaultSource: string | undefined,
  usual?: XpkgPin,
): DeclaredEntries {
  const entries = packages.flatMap(({package: reference, version: range, name, namespace, pin}, index) => {
    const image = reference === undefined ? undefined : parseImageName(reference)
    return reference === undefined || image === undefined
      ? []
      : [
          {
            ...{index, reference, image, range, name, namespace, isPinned: isPinnedBy(pin, xpkg?.pin)},
            isByTag: (pin ?? xpkg?.pin ?? usual) === 'tag',
          },
        ]
  })
  const nameOf = repositoryNames(
    entries.map(({image}) => image),
    defaultSource,
  )
  return {
    all: entries.map(entry => ({...entry, identity: nameOf(entry.image)})),
    identify: identifier(nameOf),
  }
}

/** Packages of v0.12 have no pins. */
function isPinnedBy(own: string | undefined, all: string | undefined): DeclaredEntry['isPinned'] {
  if (own !== undefined) return own === 'digest'
  return all === 'digest' ? 'as-xpkg' : false
}

/** The identity of a repository, or of the package with the name of an install or request. */
function identityNamed(text: string, all: readonly Nameable[], {identify}: DeclaredEntries): string {
  const identity = identify(text)
  if (all.some(({repository}) => repository === identity)) return identity
  return namedToRead({text, action: 'upgrade'}, all)[0]?.repository ?? identity
}

/** The names of a lock, and those of entries that it does not have: one package must not be named twice. */
function nameablesIn({all}: DeclaredEntries, lock: Lock | undefined): readonly Nameable[] {
  const locked = lock === undefined ? [] : lockedNames(lock)
  const isLocked = ({repository, name}: Nameable) =>
    locked.some(one => one.repository === repository && one.name === name)
  return [...all.map(nameableEntry).filter(entry => !isLocked(entry)), ...locked]
}

function nameableEntry({identity, name, namespace}: DeclaredEntry): Nameable {
  return {repository: identity, ...present({name, namespace})}
}

function pinText(entry: DeclaredEntry, xpkgs: MovableEntries['xpkgs']): string[] {
  const {
    identity,
    image: {tag, digest},
  } = entry
  const pin = tag ?? digest
  if (pin === undefined) return []
  const isByHand = digest !== undefined && !hasFixedTag(entry, xpkgs)
  return [`${identity} (${pin}${isByHand ? ', edit its digest by hand' : ''})`]
}

/** Reports whether the content of an entry stays fixed with a tag in place of a digest: that of a package of v0.12 does not. */
function hasFixedTag({isPinned, identity}: DeclaredEntry, xpkgs: MovableEntries['xpkgs']): boolean {
  return isPinned === true || (xpkgs === undefined ? isPinned === 'as-xpkg' : xpkgs.has(identity))
}

/** Entries, and the repositories that the lock has as packages for a current Crossplane; without a lock, any entry can be one. */
interface MovableEntries extends DeclaredEntries {
  readonly xpkgs: ReadonlySet<string> | undefined
  readonly nameables: readonly Nameable[]
}

interface PinMove {
  readonly index: number
  readonly tag: string
  readonly before: string
  readonly after: string
  /** What fixes the content of the tag in place of a digest. */
  readonly pin: 'config' | undefined
}

/** The move of a pin to a tag; none without a tag, or if it is the pin already. */
function pinMove(
  entries: MovableEntries,
  identity: string,
  tag: string | undefined,
  file: DeclarationFile,
): PinMove[] {
  if (tag === undefined) return []
  const {index, reference: before, image, isByTag} = movableEntry(entries, identity, tag, file)
  const {digest: _digest, ...name} = image
  const after = formatImageName({...name, tag})
  return tag === image.tag || after === before
    ? []
    : [{index, tag, before, after, pin: isByTag && image.digest !== undefined ? 'config' : undefined}]
}

/** The one entry of a package, if it is restricted only by a tag. */
function movableEntry(
  {all, xpkgs, nameables}: MovableEntries,
  identity: string,
  tag: string,
  file: DeclarationFile,
): DeclaredEntry {
  const [entry, other] = all.filter(declaredEntry => declaredEntry.identity === identity)
  if (entry === undefined) {
    if (nameables.some(({repository}) => repository === identity))
      throw notRequested(identity, tag, file.name)
    throw notDeclared({identity, tag, nameables}, file.name, new Set(all.map(one => one.identity)))
  }
  const places = [entry, ...(other === undefined ? [] : [other])].map(({index}) => entryPlace(file, index))
  if (other !== undefined) throw notMovable(identity, file, places, 'several entries name the package')
  if (entry.image.digest !== undefined && !hasFixedTag(entry, xpkgs))
    throw notMovable(identity, file, places, 'a digest pins it')
  if (entry.range !== undefined) throw notMovable(identity, file, places, 'a range restricts it')
  return entry
}

function expectOnce(named: readonly string[]): void {
  const twice = named.find((identity, place) => named.indexOf(identity) !== place)
  if (twice === undefined) return
  throw new CrossplaneError('usage', `cannot upgrade ${twice}: it is named twice`, {
    suggestions: ['Pass each package once.'],
  })
}

function digestNamed(text: string): CrossplaneError {
  return new CrossplaneError('usage', `cannot move a pin to ${text}: it has a digest`, {
    suggestions: ['Pass PACKAGE:TAG, or write the digest into the declaration.'],
  })
}

/** A package that a declaration does not have. */
interface UndeclaredName {
  readonly identity: string
  /** The tag that its pin should have. */
  readonly tag?: string
  /** Names that would have been found, also those of requests. */
  readonly nameables?: readonly Nameable[]
}

/** The error for a package that is not in a declaration; `identities` are those in it. */
export function notDeclared(
  {identity, tag, nameables = []}: UndeclaredName,
  file: string,
  identities: Iterable<string>,
): CrossplaneError {
  const names = [...identities]
  const text = tag === undefined ? identity : `${identity}:${tag}`
  const near = nearNames({text}, [...names.map(repository => ({repository})), ...nameables])
  return notFound({kind: 'package', name: identity, place: `the declaration ${file}`}, [
    ...near,
    names.length === 0
      ? `Add it to packages in ${file}.`
      : `Add it to packages in ${file}, or use one of ${listSome(names)}.`,
  ])
}

/** The error for a tag of a package that the lock has because others require it. */
function notRequested(identity: string, tag: string, file: string): CrossplaneError {
  return notFound({kind: 'package', name: identity, place: `packages of the declaration ${file}`}, [
    `Add "- package: ${identity}:${tag}" to packages in ${file}: only other packages require it.`,
    'Pass it without a tag for the newest version that they allow.',
  ])
}

function notMovable(
  identity: string,
  {name}: DeclarationFile,
  places: readonly EntryPlace[],
  why: string,
): CrossplaneError {
  const [first] = places
  const lines = places.map(({file, line}) =>
    file === first?.file ? `line ${line}` : `line ${line} of ${file}`,
  )
  return new CrossplaneError('input-invalid', `cannot move the pin of ${identity} in ${name}: ${why}`, {
    diagnostics: places.map(({file, line}) => ({
      severity: 'error',
      rule: 'declaration-edit',
      message: why,
      file,
      line,
      field: 'package',
    })),
    suggestions: [`Edit ${lines.join(' and ')} of ${first?.file ?? name} by hand.`],
  })
}
