import type {Checkout} from './checkout.js'
import type {OutputFolder} from './output-folder.js'

/**
 * Returns a folder as a working tree whose files are all committed, for changes that users commit themselves. Nothing is ever staged in
 * it, so that a commit only writes its files.
 */
export function plainCheckout(whole: Pick<OutputFolder, 'path' | 'look' | 'read' | 'names'>): Checkout {
  const none = () => Promise.resolve([])
  const nothing = () => Promise.resolve(undefined)
  const pathsBelow = async (folder: string) => await filesBelow(folder, whole)
  return {
    // No branch is concerned.
    state: () => Promise.resolve({root: whole.path, temporary: {root: whole.path, isDetached: true}}),
    // Reading a link is an error.
    committedLinks: none,
    ...{changed: none, changedSince: none, blocked: none, commitsOf: none, mainlineOf: none},
    ...{commitNamed: nothing, mergeBase: nothing, contentIn: nothing},
    pathsBelow,
    committed: async path => (await contentsOf([path], whole)).get(path),
    committedFiles: async paths => await contentsOf(paths, whole),
    committedBelow: async folder => await contentsOf(await pathsBelow(folder), whole),
    tip: () => Promise.resolve({}),
    stage: () => Promise.resolve({blobs: new Map(), isAlone: true, stamps: new Map()}),
    commit: () => Promise.reject(new RangeError('nothing was staged')),
    undo: () => Promise.resolve(),
    restore: () => Promise.resolve(),
  }
}

/** Reads files, and those in folders, whose paths end with a slash. Throws `output-refused` for a link. */
async function contentsOf(
  paths: readonly string[],
  whole: Pick<OutputFolder, 'look' | 'read' | 'names'>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files: string[] = []
  for (const path of paths) {
    if (!path.endsWith('/')) files.push(path)
    else files.push(...(await whole.names(path.slice(0, -1))).map(name => `${path}${name}`))
  }
  const contents = new Map<string, Uint8Array>()
  for (const [path, {kind}] of await whole.look(files)) {
    if (kind === 'folder') continue
    const text = await whole.read(path)
    if (text !== undefined) contents.set(path, Buffer.from(text))
  }
  return contents
}

async function filesBelow(
  folder: string,
  whole: Pick<OutputFolder, 'look' | 'names'>,
): Promise<readonly string[]> {
  const paths = (await whole.names(folder)).map(name => (folder === '' ? name : `${folder}/${name}`))
  const files: string[] = []
  for (const [path, {kind}] of await whole.look(paths)) {
    if (kind === 'folder') files.push(...(await filesBelow(path, whole)))
    else files.push(path)
  }
  return files
}
