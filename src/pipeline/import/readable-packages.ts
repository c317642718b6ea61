import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import type {ImportedPackage} from '../../plan/cluster/core/imported-packages.js'
import {parseImageName} from '../../reference/image-name.js'
import {locatedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import {escaped, quoted} from '../../text.js'

/** The packages of a cluster that can be read, and why the others are left out. */
interface ReadablePackages {
  readonly packages: readonly ImportedPackage[]
  readonly findings: readonly Diagnostic[]
  /** The repositories of those that cannot be read themselves. */
  readonly unread: ReadonlySet<string>
}

/**
 * Leaves out the packages of a cluster that cannot be read, and those that require one of them: no lock could hold these.
 * Throws the first error if none can be read.
 */
export async function readablePackages(
  all: readonly ImportedPackage[],
  ports: PackagePorts,
): Promise<ReadablePackages> {
  const catalog = locatedXpkgs(ports)
  const requires = new Map<ImportedPackage, readonly string[]>()
  const failed = new Map<ImportedPackage, CrossplaneError>()
  for (const one of all) {
    try {
      if (!hasValidReference(one)) throw invalidReference(one)
      const {dependencies} = await catalog.read(one.repository, one.version, one.digest)
      requires.set(
        one,
        dependencies.map(dependency => dependency.package),
      )
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      failed.set(one, error)
    }
  }
  const [first] = failed.values()
  if (first !== undefined && requires.size === 0) throw first
  const left = new Map([...failed].map(([one, error]) => [one, unreadable(one, error)]))
  const unread = new Set([...failed.keys()].map(({repository}) => repository))
  return {...withoutDependents(requires, left), unread}
}

/**
 * Returns the packages whose references a declaration can hold: in a cluster, they are any text. Throws `reference-invalid` for the first
 * one if there are no others.
 */
export function declarablePackages(all: readonly ImportedPackage[]): readonly ImportedPackage[] {
  const declarable = all.filter(hasValidReference)
  const [first] = all
  if (first !== undefined && declarable.length === 0) throw invalidReference(first)
  return declarable
}

function hasValidReference({request}: ImportedPackage): boolean {
  return parseImageName(request.reference) !== undefined
}

function invalidReference({request: {reference}}: ImportedPackage): CrossplaneError {
  return new CrossplaneError('reference-invalid', `invalid package reference ${quoted(reference)}`)
}

/** What requires a package that is left out is left out, too, and so on. */
function withoutDependents(
  requires: Map<ImportedPackage, readonly string[]>,
  left: Map<ImportedPackage, Diagnostic>,
): Omit<ReadablePackages, 'unread'> {
  // The map grows while it is walked.
  for (const [{repository}] of left)
    for (const [one, names] of requires)
      if (names.includes(repository)) {
        requires.delete(one)
        left.set(one, dependent(one, repository))
      }
  return {packages: [...requires.keys()], findings: [...left.values()]}
}

function unreadable({request, repository}: ImportedPackage, error: CrossplaneError): Diagnostic {
  const {message, suggestions} = error
  return leftOut(
    `${requestText(request)} is left out of the files, because its package cannot be read: ${message}`,
    repository,
    suggestions,
  )
}

function dependent({request, repository}: ImportedPackage, required: string): Diagnostic {
  return leftOut(
    `${requestText(request)} is left out of the files: it requires ${escaped(required)}, which cannot be read`,
    repository,
    [],
  )
}

function leftOut(message: string, repository: string, suggestions: readonly string[]): Diagnostic {
  return {
    severity: 'warning',
    rule: 'import-unreadable',
    message,
    subject: {package: repository},
    suggestions: [...suggestions, 'Keep its file where it is, and import again once it can be read.'],
  }
}
