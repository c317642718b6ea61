import {createHash} from 'node:crypto'
import {CrossplaneError} from '../errors.js'

/** Something that needs a name within one folder. `identity` tells apart what `stem` does not. */
export interface Nameable {
  readonly stem: string
  readonly identity: string
}

/** In bytes. File systems allow 255; the rest is for archives and tools that put something around a name. */
const LONGEST = 200
const HASH_DIGITS = 8

/** What kustomize takes for a kustomization: nothing else in a folder may bear such a name. */
export const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const
const RESERVED: ReadonlySet<string> = new Set(KUSTOMIZATION_NAMES.map(name => name.toLowerCase()))

/**
 * One name in `[a-z0-9.-]`, at most 200 bytes long, for each of the things, in their order. Those whose plain names
 * would be the same, or reserved for a kustomization, all carry a hash of their identity. Throws `conflict` when two
 * things have the same identity too.
 */
export function distinctNames(things: readonly Nameable[], ending = ''): readonly string[] {
  let hashed: ReadonlySet<number> = new Set()
  for (;;) {
    const names = things.map((thing, index) => nameOf(thing, ending, hashed.has(index)))
    const clashing = indexesOfClashes(names)
    if (clashing.length === 0) return names
    if (clashing.every(index => hashed.has(index))) throw inseparable(clashing.map(index => things[index]))
    hashed = new Set([...hashed, ...clashing])
  }
}

function nameOf({stem, identity}: Nameable, ending: string, withHash: boolean): string {
  const tail = (withHash ? `-${hashOf(identity)}` : '') + ending
  return safeStem(stem, LONGEST - tail.length) + tail
}

function hashOf(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, HASH_DIGITS)
}

function safeStem(stem: string, longest: number): string {
  const mapped = stem
    .slice(0, longest)
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
  const safe = mapped
    .slice(0, longest)
    .replace(/^[.-]+/, '')
    .replace(/[.-]+$/, '')
  return safe === '' ? 'unnamed' : safe
}

function indexesOfClashes(names: readonly string[]): readonly number[] {
  const uses = new Map<string, number>()
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  return names.flatMap((name, index) => (RESERVED.has(name) || uses.get(name) !== 1 ? [index] : []))
}

function inseparable(things: readonly (Nameable | undefined)[]): CrossplaneError {
  const identities = [...new Set(things.map(thing => thing?.identity ?? ''))]
  return new CrossplaneError('conflict', `No two files can hold the same object: ${identities.join(', ')}.`)
}
