import {rmSync} from 'node:fs'
import {lstat, mkdtemp, readdir, readFile, realpath, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {formatHolder, isGone, parseHolder, thisProcess} from '../lock-holder.js'

/** A temporary folder of this process. */
export interface WorkFolder {
  readonly path: string
  /** Also removes a path outside of the folder when the process exits, such as what git knows of it. */
  alsoRemove(path: string): void
  remove(): Promise<void>
}

const PREFIX = 'kubectl-crossplane-git-'
/** Names the process that uses a folder. */
const OWNER = 'owner'

/**
 * Creates a temporary folder, which is also removed when the process exits, such as on a signal. Those of processes that
 * were killed are removed first.
 */
export async function workFolder(): Promise<WorkFolder> {
  const parent = await realpath(tmpdir())
  await removeAbandoned(parent)
  const path = await mkdtemp(join(parent, PREFIX))
  const paths = [path]
  const removeAtExit = () => paths.forEach(removeNow)
  process.once('exit', removeAtExit)
  await writeFile(join(path, OWNER), formatHolder(await thisProcess()))
  return {
    path,
    alsoRemove: other => void paths.push(other),
    async remove() {
      await rm(path, {recursive: true, force: true})
      process.off('exit', removeAtExit)
    },
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter(text => text.startsWith(PREFIX))) {
    const folder = join(parent, name)
    // A folder that cannot be removed, such as one of another user, costs nothing but its space.
    if (await isAbandoned(folder)) await rm(folder, {recursive: true, force: true}).catch(() => undefined)
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined)
  if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) return false
  const text = await readFile(join(folder, OWNER), 'utf8').catch(() => '')
  return await isOfGoneProcess(text)
}

/** Reports whether a line of `formatHolder` names a process that certainly no longer runs. */
export async function isOfGoneProcess(text: string): Promise<boolean> {
  const holder = parseHolder(text)
  return holder !== undefined && (await isGone(holder, await thisProcess()))
}

function removeNow(path: string): void {
  try {
    // A git that still runs may create files at the same time.
    rmSync(path, {recursive: true, force: true, maxRetries: 3})
  } catch {
    // The next run removes what is left.
  }
}
