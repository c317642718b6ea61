import {stat} from 'node:fs/promises'
import {basename, dirname, resolve} from 'node:path'
import type {RepositoryPaths} from '../../commit/repository-paths.js'
import {cannotOpen, isOutsideOfRepository} from './git-failure.js'
import {gitIn} from './git-program.js'

/** Finds folders in their repositories, as the user's own git reports them. */
export const repositoryPaths: RepositoryPaths = {
  async pathOf(folder) {
    const missing: string[] = []
    let existing = resolve(folder)
    while (dirname(existing) !== existing && !(await isFolder(existing))) {
      missing.unshift(basename(existing))
      existing = dirname(existing)
    }
    try {
      const prefix = await (await gitIn(existing)).run(['rev-parse', '--show-prefix'])
      const inside = prefix.replace(/\r?\n$/, '').split('/')
      return [...inside, ...missing].filter(segment => segment !== '').join('/')
    } catch (error) {
      if (isOutsideOfRepository(existing, error)) return undefined
      throw cannotOpen(existing, error)
    }
  },
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
