import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {lstat, readdir, readFile, realpath, rm} from 'node:fs/promises'
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
/** Milliseconds after which a folder without an owner is that of a process that was killed before it wrote one. */
const OWNERLESS = 3_600_000

/**
 * Creates a temporary folder, which is also removed when the process exits, such as on a signal. Those of processes that
 * were killed are removed first.
 */
export async function workFolder(temporary = tmpdir()): Promise<WorkFolder> {
  const parent = await realpath(temporary)
  await removeAbandoned(parent)
  const holder = formatHolder(await thisProcess())
  const paths: string[] = []
  const removeAtExit = () => paths.forEach(removeNow)
  process.once('exit', removeAtExit)
  // At once: a process that is killed in between leaves a folder that does not say whose it is.
  const path = mkdtempSync(join(parent, PREFIX))
  paths.push(path)
  writeFileSync(join(path, OWNER), holder)
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
  return text === '' ? Date.now() - stats.mtimeMs > OWNERLESS : await isOfGoneProcess(text)
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
