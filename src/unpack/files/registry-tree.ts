import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {quoted} from '../../text.js'

/** The content of `.registry/`. `layer` counts from 0, and is the layer that added it. */
export type TreeNode = FileNode | LinkNode | DirectoryNode

export interface FileNode {
  readonly kind: 'file'
  readonly layer: number
  readonly bytes: Uint8Array
}

export interface LinkNode {
  readonly kind: 'symlink'
  readonly layer: number
  readonly target: string
}

export interface DirectoryNode {
  readonly kind: 'directory'
  readonly layer: number
  readonly children: ReadonlyMap<string, TreeNode>
}

/**
 * The part of an image's file system with the package, built layer by layer. Paths are segments from the image's
 * root, so `.registry` comes first. A layer hides entries of the layers below it, wherever in the layer the whiteout
 * is: https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#whiteouts
 */
export class RegistryTree {
  readonly #root = new Directory(-1)
  readonly #directories: Allowance

  /** Every created directory is taken from `directories`. */
  constructor(directories: Allowance) {
    this.#directories = directories
  }

  /** Adds a file or link at a path, in place of any other entry. */
  put(path: readonly string[], node: FileNode | LinkNode, holder: string): void {
    const [parents, name] = split(path)
    this.#directoryAt(parents, node.layer, holder).entries.set(name, node)
  }

  putDirectory(path: readonly string[], layer: number, holder: string): void {
    const [parents, name] = split(path)
    const parent = this.#directoryAt(parents, layer, holder)
    const present = parent.entries.get(name)
    if (present instanceof Directory) present.layer = layer
    else parent.entries.set(name, this.#newDirectory(layer, holder))
  }

  /** Hides a path of lower layers. */
  hide(path: readonly string[], layer: number): void {
    const [parents, name] = split(path)
    const parent = this.#find(parents)
    const node = parent instanceof Directory ? parent.entries.get(name) : undefined
    if (parent instanceof Directory && node !== undefined && !survives(node, layer))
      parent.entries.delete(name)
  }

  /** Hides the entries of lower layers in a directory, but not the directory itself; the root's path is empty. */
  hideChildren(path: readonly string[], layer: number): void {
    const node = this.#find(path)
    if (node instanceof Directory) node.clear(layer)
  }

  /** Returns the entry at a path; links are not followed. */
  at(path: readonly string[]): TreeNode | undefined {
    return this.#find(path)
  }

  #find(path: readonly string[]): StoredNode | undefined {
    let node: StoredNode | undefined = this.#root
    for (const segment of path) {
      if (!(node instanceof Directory)) return undefined
      node = node.entries.get(segment)
    }
    return node
  }

  /** Creates missing directories, as unpacking does; a file in their place is replaced, a link never is. */
  #directoryAt(path: readonly string[], layer: number, holder: string): Directory {
    let directory = this.#root
    for (const segment of path) {
      const present = directory.entries.get(segment)
      if (present?.kind === 'symlink') throw belowLink(path, holder)
      const next: Directory = present instanceof Directory ? present : this.#newDirectory(layer, holder)
      directory.entries.set(segment, next)
      directory = next
    }
    return directory
  }

  #newDirectory(layer: number, holder: string): Directory {
    this.#directories.spend(1, holder)
    return new Directory(layer)
  }
}

type StoredNode = FileNode | LinkNode | Directory

class Directory implements DirectoryNode {
  readonly kind = 'directory'
  readonly entries = new Map<string, StoredNode>()
  layer: number
  #clearedFor = -1

  constructor(layer: number) {
    this.layer = layer
  }

  get children(): ReadonlyMap<string, TreeNode> {
    return this.entries
  }

  /** Once for each layer is enough: no entry of a lower layer is restored. */
  clear(layer: number): void {
    if (this.#clearedFor === layer) return
    this.#clearedFor = layer
    for (const [name, node] of this.entries) if (!survives(node, layer)) this.entries.delete(name)
  }
}

/** Reports whether a node has any content once a layer has hidden lower ones. */
function survives(node: StoredNode, layer: number): boolean {
  if (!(node instanceof Directory)) return node.layer === layer
  node.clear(layer)
  return node.layer === layer || node.entries.size > 0
}

function split(path: readonly string[]): [parents: readonly string[], name: string] {
  return [path.slice(0, -1), path.at(-1) ?? '']
}

function belowLink(path: readonly string[], holder: string): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `cannot read ${holder}: a file in ${quoted(path.join('/'))} is below a link`,
  )
}
