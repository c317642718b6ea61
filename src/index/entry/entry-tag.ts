import {hexHash} from '../hex-hash.js'
import type {YankedVersion} from '../summaries.js'

/** What tells one entry of an index from every other. */
export type EntryKey = Omit<YankedVersion, 'reason'>

const MAX_READABLE = 60
const HASH_LENGTH = 40
const ENTRY_TAG = /^\w[\w.-]{0,59}-[0-9a-f]{40}$/
const YANK_TAG = /^yanked-[0-9a-f]{40}$/

/** The tag of an entry: the package's name and tag for people, and a hash that no other version has. */
export function entryTag(key: EntryKey): string {
  const name = key.identity.slice(key.identity.lastIndexOf('/') + 1)
  const readable = `${name}-${key.tag}`
    .replace(/[^\w.-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_READABLE)
  return `${readable}-${entryHash(key)}`
}

/** The tag that says of an entry that it was withdrawn. */
export function yankTag(key: EntryKey): string {
  return `yanked-${entryHash(key)}`
}

/** 40 hex of SHA-256 over the four texts, as a JSON list, in which no text can pass for two. */
function entryHash({identity, tag, version, digest}: EntryKey): string {
  return hexHash(JSON.stringify([identity, tag, version, digest]), HASH_LENGTH)
}

/** Before the hash of an entry's tag there is a `-` or 60 characters, and never `yanked` alone. */
export function isEntryTag(text: string): boolean {
  return ENTRY_TAG.test(text) && !isYankTag(text)
}

export function isYankTag(text: string): boolean {
  return YANK_TAG.test(text)
}
