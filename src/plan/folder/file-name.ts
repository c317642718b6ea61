import {createHash} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'

/** Something that needs a name within one folder. `identity` distinguishes things with the same `stem`. */
export interface Nameable {
  readonly stem: string
  readonly identity: string
}

/** In bytes. File systems allow 255; the rest is for archives and tools that add to a name. */
const MAX_LENGTH = 200
const HASH_DIGITS = 8

/** The names that kustomize reads as a kustomization: no other file may have one. */
export const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const
const KUSTOMIZE: ReadonlySet<string> = new Set(KUSTOMIZATION_NAMES.map(name => name.toLowerCase()))

/**
 * Returns one name in `[a-z0-9.-]`, at most 200 bytes long, for each of the things, in their order. Things whose
 * plain names would be equal, or reserved for a kustomization, all get a hash of their identity; so do names that
 * Windows reserves. Throws `conflict` for two things with the same identity.
 */
export function distinctNames(things: readonly Nameable[], ending = ''): readonly string[] {
  let hashed: ReadonlySet<number> = new Set()
  for (;;) {
    const names = things.map((thing, index) => nameOf(thing, ending, hashed.has(index)))
    const conflicting = indexesOfConflicts(names)
    if (conflicting.length === 0) return names
    if (conflicting.every(index => hashed.has(index)))
      throw indistinguishable(conflicting.map(index => things[index]))
    hashed = new Set([...hashed, ...conflicting])
  }
}

function nameOf({stem, identity}: Nameable, ending: string, withHash: boolean): string {
  const hash = `-${hashOf(identity)}`
  const tail = (withHash ? hash : '') + ending
  const name = safeStem(stem, MAX_LENGTH - tail.length) + tail
  if (!DEVICE.test(name)) return name
  return (safeStem(stem, MAX_LENGTH - tail.length - hash.length) + tail).replace(DEVICE, `$&${hash}`)
}

/** Windows opens a device for such a name, with any text after its first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/

function hashOf(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, HASH_DIGITS)
}

function safeStem(stem: string, maxLength: number): string {
  const mapped = stem
    .slice(0, maxLength)
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
  const safe = mapped
    .slice(0, maxLength)
    .replace(/^[.-]+/, '')
    .replace(/[.-]+$/, '')
  return safe === '' ? 'unnamed' : safe
}

function indexesOfConflicts(names: readonly string[]): readonly number[] {
  const uses = new Map<string, number>()
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  return names.flatMap((name, index) => (KUSTOMIZE.has(name) || uses.get(name) !== 1 ? [index] : []))
}

function indistinguishable(things: readonly (Nameable | undefined)[]): CrossplaneError {
  const identities = [...new Set(things.map(thing => thing?.identity ?? ''))]
  return new CrossplaneError('conflict', `the install set contains an object twice: ${identities.join(', ')}`)
}
