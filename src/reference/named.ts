import {CrossplaneError} from '../errors.js'
import {escaped, listAll, listSome, nearest, quoted} from '../text.js'
import {parseImageName} from './image-name.js'
import {CRD_PREFIX} from './package-reference.js'
import {canonicalName} from './repository-name.js'

/** What a NAME argument can mean: a request of a current Crossplane, an install of Crossplane v0.12, or a package of a set. */
export interface Nameable {
  /** The name of its request or install; undefined where only the repository is known. */
  readonly name?: string
  readonly repository: string
  /** The kind of a request of a current Crossplane. */
  readonly kind?: string
  /** The namespace of an install. */
  readonly namespace?: string
}

/** A NAME argument, and the registry of repositories without one. */
export interface NameText {
  readonly text: string
  /** What the command does with it, for its errors, such as `uninstall`. */
  readonly action: string
  readonly defaultSource?: string | undefined
}

/** A name of nothing, and where it was looked for; by default, in the cluster. */
interface MissingName {
  readonly kind: 'install' | 'package'
  readonly name: string
  readonly place?: string
}

/** Creates the error for a name of nothing. */
export function notFound(
  {kind, name, place}: MissingName,
  suggestions: readonly string[] = [],
): CrossplaneError {
  const where = place === undefined ? '' : ` in ${place}`
  const message = `${kind} ${quoted(name)} not found${where}`
  return new CrossplaneError('not-found', message, {suggestions, isAnswer: true})
}

/** Names a request for kubectl, and as an argument of this program. */
export function requestName({kind, name}: {readonly kind: string; readonly name: string}): string {
  return `${kind.toLowerCase()}.pkg.crossplane.io/${name}`
}

/** Returns the name that means nothing else: KIND.pkg.crossplane.io/NAME, NAMESPACE/NAME, or the repository. */
export function fullForm({kind, namespace, name, repository}: Nameable): string {
  if (name === undefined) return repository
  if (kind !== undefined) return requestName({kind, name})
  return namespace === undefined ? repository : `${namespace}/${name}`
}

/**
 * Returns what a NAME means: all that come from a repository, or the one with the name or full name; nothing for an unknown name.
 * Throws `usage` for a name that several have.
 */
export function namedIn<T extends Nameable>(query: NameText, all: readonly T[]): readonly T[] {
  const {text, defaultSource} = query
  const typed = all.filter(one => isTyped(text, one))
  if (typed.length > 0) return typed
  const repository = canonicalName(text, defaultSource)
  const isFrom = (one: T) => text === one.repository || repository === canonicalName(one.repository)
  const matches = all.filter(one => isFrom(one) || isCalled(text, one))
  const packages = new Set(matches.map(one => one.repository))
  if (matches.length < 2 || (matches.every(isFrom) && packages.size === 1)) return matches
  throw ambiguous(query, matches)
}

/** Does the same for a command on one thing. Throws `usage` also for a repository from which several come. */
export function oneNamedIn<T extends Nameable>(query: NameText, all: readonly T[]): T | undefined {
  const [one, ...others] = namedIn(query, all)
  if (one !== undefined && others.length > 0) throw ambiguous(query, [one, ...others])
  return one
}

/** `provider/NAME`, with the forms of the type that kubectl reads. */
const TYPED = /^(provider|configuration|function)s?(?:(?:\.v1(?:beta1)?)?\.pkg\.crossplane\.io)?\/([^/]+)$/i

function isTyped(text: string, {kind, name}: Nameable): boolean {
  const [, type, own] = TYPED.exec(text) ?? []
  return type !== undefined && type.toLowerCase() === kind?.toLowerCase() && own === name
}

function isCalled(text: string, {name, namespace}: Nameable): boolean {
  return name !== undefined && (text === name || text === `${namespace ?? ''}/${name}`)
}

/** Returns the error for a name that several things have. */
export function ambiguous({text, action}: NameText, matches: readonly Nameable[]): CrossplaneError {
  const isClear = (form: string) =>
    form !== text && matches.filter(one => fullForm(one) === form).length === 1
  const names = matches.map(one => (isClear(fullForm(one)) ? fullForm(one) : canonicalName(one.repository)))
  const forms = [...new Set(names)].map(escaped)
  return new CrossplaneError('usage', `cannot ${action} ${quoted(text)}: it names ${listAll(forms)}`, {
    suggestions: [`Use ${forms.length > MAX_FORMS ? listSome(forms, MAX_FORMS) : listAll(forms, 'or')}.`],
  })
}

const MAX_FORMS = 6

const REGISTRY = /^[^/]*[.:][^/]*\//

/**
 * As `namedIn`, and by the last segment of a repository, such as `provider-sql`. Not for what removes packages: a name that is not
 * written out is rather a mistake. Throws `usage` also for a last segment of several repositories.
 */
export function namedToRead<T extends Nameable>(query: NameText, all: readonly T[]): readonly T[] {
  const exact = namedIn(query, all)
  return exact.length > 0 ? exact : namedByLastPart(query, all)
}

/** Returns what comes from the repository that has a text as its last segment. Throws `usage` for that of several. */
export function namedByLastPart<T extends Nameable>(query: NameText, all: readonly T[]): readonly T[] {
  const ones = all.filter(({repository}) => lastSegment(repository) === query.text)
  if (new Set(ones.map(({repository}) => canonicalName(repository))).size < 2) return ones
  throw ambiguous(query, ones)
}

/** Returns the last part of a path of a repository, by which users often name a package. */
export function lastSegment(repository: string): string {
  return repository.slice(repository.lastIndexOf('/') + 1)
}

/** Suggests the name that is most similar to an unknown one, with its tag; nothing without one. */
export function nearNames({text: full}: Pick<NameText, 'text'>, all: readonly Nameable[]): readonly string[] {
  const {text, tag} = withoutTag(full)
  const spelled = new Map(
    all.flatMap(one => [
      [lastSegment(one.repository), fullForm(one)] as const,
      ...[one.repository, one.repository.replace(REGISTRY, '')].map(form => [form, one.repository] as const),
      ...[one.name ?? fullForm(one), fullForm(one)].map(form => [form, fullForm(one)] as const),
    ]),
  )
  const form = nearest(text, [...spelled.keys()])
  const near = form && spelled.get(form)
  return near === undefined ? [] : [`Did you mean ${escaped(near)}${tag}?`]
}

/** NAME:TAG in its parts; the tag with the colon. Other text than a reference, such as `crd:NAME`, has no tag. */
function withoutTag(full: string): {readonly text: string; readonly tag: string} {
  const {tag} = full.startsWith(CRD_PREFIX) ? {} : (parseImageName(full) ?? {})
  if (tag === undefined) return {text: full, tag: ''}
  return {text: full.slice(0, full.lastIndexOf(`:${tag}`)), tag: `:${tag}`}
}
