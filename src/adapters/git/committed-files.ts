import {randomUUID} from 'node:crypto'
import {dirname} from 'node:path/posix'
import {gitFailed} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {listHead} from './head.js'
import {prefixesOf} from './pathspecs.js'

/** Lines of `ls-tree -r`: mode, type and ID of a regular file, and its path. */
const FILE = /^100[0-7]{3} blob ([0-9a-f]+)\t([^]+)$/

/**
 * Returns those of these files that HEAD or another commit has, and the files of these folders, whose paths end with a slash, as a checkout
 * writes them: with the line endings and filters of the repository. Two runs of git read them all.
 */
export async function committedFiles(
  paths: readonly string[],
  git: GitProgram,
  commit?: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (paths.length === 0) return new Map()
  const requested = new Set(paths)
  const isRequested = (path: string) => requested.has(path) || requested.has(`${dirname(path)}/`)
  return await selectedFiles(prefixesOf(paths), isRequested, git, commit)
}

const LINK = /^120000 blob [0-9a-f]+\t([^]+)$/

/** Lists those of these files that are links in HEAD, as well as links in these folders, whose paths end with a slash, or in place of one. */
export async function committedLinks(paths: readonly string[], git: GitProgram): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const requested = new Set(paths)
  // A link in place of a folder is found by its name without a slash.
  const names = paths.map(path => path.replace(/\/$/, ''))
  return (await listHead(['-r'], prefixesOf(names), git)).split('\0').flatMap(line => {
    const [, path = ''] = LINK.exec(line) ?? []
    return requested.has(path) || requested.has(`${path}/`) || requested.has(`${dirname(path)}/`)
      ? [path]
      : []
  })
}

/** Returns all files that HEAD has below a folder, in the same way; an empty one is the root. */
export async function filesBelow(folder: string, git: GitProgram): Promise<ReadonlyMap<string, Uint8Array>> {
  const prefix = folder === '' ? '' : `${folder}/`
  return await selectedFiles(folder === '' ? [] : [folder], path => path.startsWith(prefix), git)
}

async function selectedFiles(
  prefixes: readonly string[],
  isRequested: (path: string) => boolean,
  git: GitProgram,
  commit?: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const listed = (await listHead(['-r'], prefixes, git, commit)).split('\0').flatMap(line => {
    const [, id = '', path = ''] = FILE.exec(line) ?? []
    return path !== '' && isRequested(path) ? [{id, path}] : []
  })
  // One object a line: no path of this program has a line break, and git cannot be asked for others in this way.
  const files = listed.filter(({path}) => !path.includes('\n'))
  if (files.length === 0) return new Map()
  const input = files.map(({id, path}) => `${id} ${path}\n`).join('')
  try {
    // The size that git prints is that of the object before filters, so that a random line is between objects.
    const line = randomUUID()
    const output = await git.catFile([`--batch=${line}`, '--filters'], {input})
    const contents = objectsBetween(`${line}\n`, output)
    return new Map(files.map(({path}, index) => [path, contents[index] ?? new Uint8Array()]))
  } catch (error) {
    throw gitFailed('read files of HEAD', error)
  }
}

/** Reads the output of `cat-file --batch`: for each object a line, its content, and a line break. */
function objectsBetween(line: string, output: Buffer): readonly Uint8Array[] {
  const contents: Uint8Array[] = []
  for (let at = output.indexOf(line); at !== -1;) {
    const start = at + line.length
    at = output.indexOf(line, start)
    contents.push(output.subarray(start, (at === -1 ? output.length : at) - 1))
  }
  return contents
}
