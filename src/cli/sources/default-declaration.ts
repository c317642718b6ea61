import {lstatSync, statSync} from 'node:fs'
import {dirname, join, relative, resolve, sep} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {repositoryFolders, repositoryRoot} from '../files/repository-root.js'

/** The arguments and flags that select what to resolve. */
interface RequestValues {
  readonly declaration?: string
  readonly crd?: string
  readonly filename?: readonly string[]
}

/**
 * Adds the declaration of the working folder, or of its closest parent up to the root of the Git repository, if the
 * command line names nothing to resolve.
 */
export function withDefaultDeclaration<Flags extends RequestValues>(
  ref: string | undefined,
  flags: Flags,
  from = process.cwd(),
): Flags {
  const isNamed = [ref, flags.declaration, flags.crd, flags.filename].some(value => value !== undefined)
  const nearest = isNamed ? undefined : nearestDeclaration(from)
  return nearest === undefined ? flags : {...flags, declaration: relative(from, nearest)}
}

/** Returns the declaration of a folder or of its closest parent, up to the root of the Git repository. */
export function nearestDeclaration(from: string): string | undefined {
  const folders = repositoryFolders(from)
  return folders.map(folder => join(folder, DECLARATION_FILE)).find(hasEntry)
}

/**
 * Reports whether something is at a path, whatever it is: a link that leads nowhere or a folder in place of a declaration must
 * not select the declaration of another folder. Throws `read-failed` where that cannot be known.
 */
export function hasEntry(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false}) !== undefined
  } catch (error) {
    throw new CrossplaneError('read-failed', `cannot read ${path}`, {
      cause: error,
      suggestions: ['Pass --declaration FILE, or give yourself access to the folder.'],
    })
  }
}

/**
 * Returns the home that a folder of a repository is in, relative to its root: that of the closest declaration. Empty for
 * the root, also where no folder on the way has one.
 */
export function nearestHome(folder: string): string {
  // A URL is relative to no folder.
  if (statSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) return ''
  const nearest = nearestDeclaration(folder)
  if (nearest === undefined) return ''
  return relative(repositoryRoot(resolve(folder)), dirname(nearest))
    .split(sep)
    .join('/')
}
