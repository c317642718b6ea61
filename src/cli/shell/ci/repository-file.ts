import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'

/**
 * Returns the path of a local file relative to the root of the checked-out repository, with `/`, as annotations name
 * files: to `GITHUB_WORKSPACE`, otherwise to the working folder. Undefined for a file outside of it.
 */
export function repositoryFile(
  path: string,
  {GITHUB_WORKSPACE = ''}: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const inner = relative(GITHUB_WORKSPACE === '' ? process.cwd() : GITHUB_WORKSPACE, resolve(path))
  const isInside = inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner)
  return isInside ? inner.replaceAll(sep, '/') : undefined
}

/** The same for a file of the package in a folder. Packages name their files from `.registry/` on. */
export function fileOfFolder(path: string, file: string): string | undefined {
  const folder = resolve(path)
  return repositoryFile(join(basename(folder) === '.registry' ? dirname(folder) : folder, file))
}
