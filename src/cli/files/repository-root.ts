import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'

/** Returns the root of the Git repository that a folder is in; the folder itself outside of one. */
export function repositoryRoot(folder: string): string {
  return repositoryFolders(folder).at(-1) ?? folder
}

/** Returns a folder and its parents up to the one with `.git`; the folder alone outside of a repository. */
export function repositoryFolders(from: string): readonly string[] {
  const folders: string[] = []
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (folder === dirname(folder)) return [resolve(from)]
  }
}
