import {statSync} from 'node:fs'
import {dirname, join, relative, resolve, sep} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import {isListPath, parseOwnedFiles} from '../../plan/folder/owned-files.js'
import type {UsageFile} from '../../usage/objects/read-objects.js'
import {folderListing, readNamedFile} from '../wire.js'
import {inputFiles} from './input-files.js'

/** Far above files that users write. */
const MAX_BYTES = 8 * 1024 * 1024

/** The files with the objects of users. */
export interface ObjectFiles {
  readonly files: readonly UsageFile[]
  /** The files that are not read because a rendered tree has them. */
  readonly rendered: readonly string[]
}

/**
 * Reads the files that paths name: files, folders with all YAML and JSON files below them, and `-` for standard input. Files of
 * rendered trees are left out. Throws `not-found`.
 */
export async function objectFiles(words: readonly string[]): Promise<ObjectFiles> {
  const read = new Map<string, UsageFile>()
  const rendered = new Set<string>()
  for (const path of words) {
    if (path === '-') {
      const {name, bytes} = await inputFiles.read('-', '--objects')
      read.set(path, {path: name, bytes})
      continue
    }
    const inFolder = statSync(path, {throwIfNoEntry: false})?.isDirectory() === true
    const paths = inFolder ? await pathsBelow(path) : []
    const files = inFolder ? yamlFiles(path, paths) : [path]
    const around = await listsAround(inFolder ? path : dirname(path))
    const owned = await ownedPaths([...listsBelow(path, paths), ...around])
    for (const file of files) {
      if (owned.has(resolve(file))) rendered.add(shown(file))
      else read.set(resolve(file), {path: shown(file), bytes: await readNamedFile(file, MAX_BYTES)})
    }
  }
  return {files: [...read.values()], rendered: [...rendered]}
}

/** Reads the YAML and JSON files below a folder, by their paths within it. Throws `not-found` without the folder. */
export async function filesBelow(root: string): Promise<readonly UsageFile[]> {
  const files = yamlFiles(root, await pathsBelow(root))
  return await Promise.all(
    files.map(async file => ({
      path: shown(relative(root, file)),
      bytes: await readNamedFile(file, MAX_BYTES),
    })),
  )
}

async function pathsBelow(root: string): Promise<readonly string[]> {
  const entries = await folderListing(root)
  if (entries !== undefined) return [...entries].flatMap(([path, {kind}]) => (kind === 'file' ? [path] : []))
  throw new CrossplaneError('not-found', `cannot read --objects ${root}: the folder does not exist`, {
    suggestions: ['Pass --objects DIR with the folder of the files that are applied now.'],
  })
}

function yamlFiles(root: string, paths: readonly string[]): readonly string[] {
  return paths
    .filter(path => /\.(?:ya?ml|json)$/.test(path))
    .sort()
    .map(path => join(root, path))
}

/** A list of the files of a rendered tree. */
interface TreeList {
  readonly tree: string
  readonly list: string
}

const LIST_START = '.kubectl-crossplane/'

function listsBelow(root: string, paths: readonly string[]): readonly TreeList[] {
  return paths.flatMap(path => {
    const start = path.indexOf(LIST_START)
    if (start < 0 || !isListPath(path.slice(start))) return []
    return [{tree: join(root, path.slice(0, start)), list: path.slice(start)}]
  })
}

/** A path can be within a tree. */
async function listsAround(folder: string): Promise<readonly TreeList[]> {
  const lists: TreeList[] = []
  for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) {
    const entries = (await folderListing(join(at, LIST_START))) ?? new Map<string, unknown>()
    const names = [...entries.keys()].map(name => `${LIST_START}${name}`)
    lists.push(...names.filter(isListPath).map(list => ({tree: at, list})))
  }
  return lists
}

async function ownedPaths(lists: readonly TreeList[]): Promise<ReadonlySet<string>> {
  const owned = await Promise.all(
    lists.map(async ({tree, list}) => {
      const text = Buffer.from(await readNamedFile(join(tree, list), MAX_BYTES)).toString()
      return [...parseOwnedFiles(text, tree, list).keys()].map(path => resolve(tree, path))
    }),
  )
  return new Set(owned.flat())
}

function shown(path: string): string {
  return path.split(sep).join('/')
}
