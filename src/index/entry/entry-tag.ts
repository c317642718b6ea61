import {hexHash} from '../hex-hash.js'
import type {YankedVersion} from '../summaries.js'

/** Identifies one entry of an index. */
export type EntryKey = Omit<YankedVersion, 'reason'>

const MAX_READABLE = 60
const HASH_LENGTH = 40
const ENTRY_TAG = /^\w[\w.-]{0,59}-[0-9a-f]{40}$/
const YANK_TAG = /^yanked-[0-9a-f]{40}$/
/** No tag of an entry has this form: those have a dash before the hash. */
const CORRECTION_TAG = /^corrected\.[0-9a-f]{40}\.[0-9a-f]{40}$/

/** The tag of an entry: the readable name and tag of the package, and a hash that identifies the version. */
export function entryTag(key: EntryKey): string {
  const name = key.identity.slice(key.identity.lastIndexOf('/') + 1)
  const readable = `${name}-${key.tag}`
    .replace(/[^\w.-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_READABLE)
  return `${readable}-${entryHash(key)}`
}

/** The tag that marks an entry as yanked. */
export function yankTag(key: EntryKey): string {
  return `yanked-${entryHash(key)}`
}

/** The tag that names content of an entry which its package contradicts; `content` is the entry as text. */
export function correctionTag(tag: string, content: string): string {
  return `corrected.${entryHashIn(tag)}.${hexHash(content, HASH_LENGTH)}`
}

export function isCorrectionTag(text: string): boolean {
  return CORRECTION_TAG.test(text)
}

/** Reports whether two tags begin with the same readable name and tag of a package, as those of one version do. */
export function isSameReadable(one: string, other: string): boolean {
  return one.slice(0, -HASH_LENGTH) === other.slice(0, -HASH_LENGTH)
}

/** 40 hex digits of SHA-256 over the four texts as a JSON list, so that no two lists of texts are the same text. */
function entryHash({identity, tag, version, digest}: EntryKey): string {
  return hexHash(JSON.stringify([identity, tag, version, digest]), HASH_LENGTH)
}

/** Reports whether a tag has the form of an entry's tag: at most 60 characters, `-` and the hash. */
export function isEntryTag(text: string): boolean {
  return ENTRY_TAG.test(text) && !isYankTag(text)
}

export function isYankTag(text: string): boolean {
  return YANK_TAG.test(text)
}

/** The hash in a tag of an entry or yank, which both have in common. */
export function entryHashIn(tag: string): string {
  return tag.slice(-HASH_LENGTH)
}
