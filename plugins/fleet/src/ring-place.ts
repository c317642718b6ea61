import {CrossplaneError, readNamedFile, repositoryRoot} from 'kubectl-crossplane/plugin'
import {existsSync} from 'node:fs'
import {dirname, relative, resolve, sep} from 'node:path'
import {MAX_RINGS_BYTES, readRings, type Ring, RINGS_FILE} from './rings.js'

/** Rings, and the folder that the paths of their homes are relative to. */
export interface RingsPlace {
  readonly root: string
  readonly rings: readonly Ring[]
}

/** Reads the file of rings: by default that of the working folder. Throws `read-failed`, `input-invalid`. */
export async function openRings(file = RINGS_FILE): Promise<RingsPlace> {
  if (!existsSync(file)) throw withoutRings(file)
  const bytes = await readNamedFile(file, MAX_RINGS_BYTES)
  return {root: dirname(file), rings: readRings(bytes, file)}
}

function withoutRings(file: string): CrossplaneError {
  return new CrossplaneError('read-failed', `cannot read ${file}: no such file or directory`, {
    suggestions: [
      'Write it with the order of the homes, or pass --rings FILE. package fleet also takes folders.',
    ],
  })
}

/**
 * Returns the folder of a file of rings in its repository, of which `--git` is a URL or a folder. Throws `usage` for a URL unless the file
 * is at the root: the other repository can have the folder elsewhere.
 */
export function folderInRepository(root: string, git: string): string {
  const folder = relative(repositoryRoot(resolve(root)), resolve(root))
    .split(sep)
    .join('/')
  if (folder === '' || existsSync(git)) return folder
  throw new CrossplaneError(
    'usage',
    'cannot promote to a URL: the file of rings is not at the root of its repository',
    {
      suggestions: ['Pass --git with the folder of a clone, or move the file to the root of the repository.'],
    },
  )
}
