import type {Lock} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {parseImageName} from '../../reference/image-name.js'
import {listAll} from '../../text.js'
import type {HeldLock} from './held-lock.js'

/** Returns how to make packages available that are locked without a digest. */
export function folderAdvice(names: readonly string[], hasFolder: boolean): string {
  return hasFolder
    ? `Add ${listAll(names)} to the folder given with --packages: the lock has no digest to pull by.`
    : `Pass --packages DIR with a folder that has ${listAll(names)}: the lock has no digest to pull by.`
}

/** Returns the names of locked packages that cannot be read: those without a digest that the folder does not have. */
export async function unavailablePackages(
  {packages, xpkgs = []}: Pick<Lock, 'packages' | 'xpkgs'>,
  {folder, defaultSource}: PackagePorts,
): Promise<readonly string[]> {
  const locked = [...packages.map(({identity, ...version}) => ({...version, repository: identity})), ...xpkgs]
  const names: string[] = []
  for (const {repository, tag, digest} of locked) {
    if (digest !== undefined || tag === undefined) continue
    const name = parseImageName(repository)
    const versions = (name && (await folder?.versions(name, defaultSource))) ?? []
    if (!versions.some(version => version.tag === tag)) names.push(`${repository}:${tag}`)
  }
  return names
}

/**
 * The error for a package that was locked from a folder and is not there: a registry may have another package of that
 * name.
 */
export function missingInFolder(
  name: string,
  identity: string,
  lock: Pick<HeldLock, 'remedy' | 'otherwise'>,
  hasFolder: boolean,
): CrossplaneError {
  return new CrossplaneError(
    lock.otherwise === 'reject' ? 'lock-outdated' : 'not-found',
    `cannot read ${name}: it is locked without a digest and not found in a folder`,
    {
      suggestions: [
        folderAdvice([name], hasFolder),
        `To lock the package of its registry instead: ${lock.remedy} --upgrade ${identity}`,
      ],
    },
  )
}
