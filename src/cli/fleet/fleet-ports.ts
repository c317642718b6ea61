import {type Dirent, existsSync, lstatSync, readdirSync, readFileSync} from 'node:fs'
import {join, relative, resolve, sep} from 'node:path'
import {plainCheckout} from '../../commit/plain-checkout.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {ENTRIES_FOLDER} from '../../declaration/entries/entry-files.js'
import {LOCK_FILE} from '../../declaration/entries/home-texts.js'
import type {Lock} from '../../declaration/lock.js'
import {OUTPUT_FOLDER} from '../../declaration/output-folder.js'
import {CrossplaneError} from '../../errors.js'
import {clusterState, type LivePackage} from '../../pipeline/fleet/cluster-state.js'
import {type FleetPorts, homeState, type HomeState} from '../../pipeline/fleet/home-state.js'
import {homeIn} from '../../plan/folder/home.js'
import {present} from '../../present.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {ClusterFlags} from '../cluster/cluster-connection.js'
import {openCluster} from '../cluster/cluster-ports.js'
import {repositoryRoot} from '../files/repository-root.js'
import type {Progress} from '../shell/progress/step-event.js'
import {lastCommit, repositoryPaths, workingTreeFolder} from '../wire.js'

/** The last commits of repositories, by their folders: each is opened once. */
export type Heads = Map<string, Promise<FleetPorts['head']>>

/** Reads the packages of the home in a folder, and what the last commit has of them if `heads` is given. Throws as `homeState` does. */
export async function readHomeState(folder: string, heads?: Heads): Promise<HomeState> {
  const root = repositoryRoot(resolve(folder))
  const place = homeIn(relative(root, resolve(folder)).split(sep).join('/'))
  const checkout = plainCheckout(await workingTreeFolder(root))
  const head = heads === undefined ? undefined : await headIn(root, heads)
  return await homeState(place, {checkout, ...present({head})})
}

async function headIn(root: string, heads: Heads): Promise<FleetPorts['head']> {
  const opened = heads.get(root) ?? openHead(root)
  heads.set(root, opened)
  return await opened
}

async function openHead(root: string): Promise<FleetPorts['head']> {
  if (!existsSync(join(root, '.git'))) return undefined
  try {
    // Git takes a folder with anything else of this name for one like any other.
    if ((await repositoryPaths.pathOf(root)) !== '') return undefined
    const {committedFiles} = await lastCommit(root)
    return {committedFiles: together(committedFiles)}
  } catch (error) {
    if (error instanceof CrossplaneError) return {unread: error}
    throw error
  }
}

type ReadFiles = (paths: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>

/** Reads at once what was requested during the read before: most of the time of a read is the start of git. */
function together(read: ReadFiles): ReadFiles {
  const requested: string[] = []
  let last: ReturnType<ReadFiles> = Promise.resolve(new Map())
  return async paths => {
    if (requested.length === 0)
      last = last.catch(() => undefined).then(async () => await read(requested.splice(0)))
    requested.push(...paths)
    const files = await last
    return new Map(
      paths.flatMap(path => {
        const bytes = files.get(path)
        return bytes === undefined ? [] : [[path, bytes] as const]
      }),
    )
  }
}

/** A cluster, and how long it may take. */
export interface FleetCluster {
  readonly flags: ClusterFlags
  readonly timeoutMs: number
  readonly version: string
  readonly progress: Progress
}

/** Reads the packages of a lock in a cluster, within a time. Throws the errors of the API, and `cluster-unreachable`. */
export async function readClusterState(
  lock: Lock,
  {flags, timeoutMs, version, progress}: FleetCluster,
): Promise<readonly LivePackage[]> {
  const read = async () => {
    const {api} = await openCluster(flags, version, progress, {patience: {attempts: 1, timeoutMs}})
    return await clusterState(lock, api)
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(flags.context, timeoutMs)), timeoutMs)
  })
  return await Promise.race([read(), late]).finally(() => clearTimeout(timer))
}

function tooSlow(context: string | undefined, timeoutMs: number): CrossplaneError {
  const name = context === undefined ? 'the cluster' : `the cluster of ${context}`
  return new CrossplaneError('cluster-unreachable', `${name} did not answer within ${timeoutMs / 1000}s`, {
    suggestions: ['Check the cluster, or pass a longer --cluster-timeout.'],
  })
}

/** A tree of folders is no deeper, and has no more homes. */
const MAX_DEPTH = 8
const MAX_HOMES = 1000

/** Returns the folders of homes in a folder, sorted: itself, or those below it. Links are not followed, and bases are no homes. */
export function homesBelow(folder: string): readonly string[] {
  const homes: string[] = []
  const visit = (at: string, depth: number): void => {
    if (existsSync(join(at, DECLARATION_FILE))) {
      if (homes.push(at) > MAX_HOMES) throw tooMany(folder)
      if (!isBare(at)) return
    }
    if (depth === MAX_DEPTH) return
    const entries = foldersIn(at)
    for (const {name} of entries.sort((one, other) => (one.name < other.name ? -1 : 1)))
      if (!name.startsWith('.') && name !== 'node_modules') visit(join(at, name), depth + 1)
  }
  if (lstatSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) throw noFolder(folder)
  visit(folder, 0)
  if (!homes.some(isBare)) return homes
  const bases = new Set(homes.flatMap(baseOf))
  return homes.filter(at => !isBare(at) || !bases.has(resolve(at, DECLARATION_FILE)))
}

function foldersIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).filter(entry => entry.isDirectory())
  } catch (error) {
    throw new CrossplaneError('read-failed', `cannot read ${folder}`, {
      cause: error,
      suggestions: ['Pass the folders of homes that you can read.'],
    })
  }
}

/** A declaration without a lock and a tree can be a base, which others extend. */
function isBare(at: string): boolean {
  return ![LOCK_FILE, OUTPUT_FOLDER, ENTRIES_FOLDER].some(name => existsSync(join(at, name)))
}

/** Returns the file that the declaration in a folder extends. Why it cannot be read is reported where the home is read. */
function baseOf(at: string): readonly string[] {
  const file = join(at, DECLARATION_FILE)
  try {
    const base = asText(asObject(readYaml(readFileSync(file), file)[0]?.value).extends)
    return base === '' ? [] : [resolve(at, base)]
  } catch {
    return []
  }
}

function tooMany(folder: string): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `cannot read the homes in ${folder}: more than ${MAX_HOMES}`, {
    suggestions: ['Pass the folders of fewer homes.'],
  })
}

function noFolder(folder: string): CrossplaneError {
  const cause = existsSync(folder) ? 'it is not a folder' : 'no such file or directory'
  return new CrossplaneError('not-found', `cannot read ${folder}: ${cause}`, {
    suggestions: ['Pass folders with a crossplane-packages.yaml and its lock.'],
  })
}
