import {CrossplaneError, type ErrorCode} from '../../errors.js'
import {formatRepository} from '../../reference/repository.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import {type IndexedSummary, readEntry, readYank} from '../entry/entry-document.js'
import {entryTag, isEntryTag, isYankTag, yankTag} from '../entry/entry-tag.js'
import type {Found, UnreadablePackage, YankedVersion} from '../summaries.js'
import {summaryText} from '../summary-of.js'
import type {IndexReading} from './index-reading.js'
import type {Shelf} from './layout.js'

/** A group or package with its tags, without their prefix. */
export interface FilledShelf {
  readonly shelf: Shelf
  readonly tags: readonly string[]
}

/** Requests at a time. */
const MAX_READS = 8
/** Versions of all packages of one group; who has more of them was made to break things. */
const MAX_ENTRIES = 20_000

/** What became of one tag: one of these. */
interface Outcome<T> {
  readonly read?: T
  readonly unreadable?: UnreadablePackage
  readonly missing?: string
}

/** Reads the versions of an index; one of which the same is said in several places is the same object. */
export class VersionReader {
  readonly #reading: IndexReading
  /** Of each place and tag, and the last one that was read under a tag anywhere. */
  readonly #entries = new Map<string, IndexedSummary>()
  readonly #lastOf = new Map<string, IndexedSummary>()
  /** Tags, of entries and yanks, that were asked for and those that were dealt with. */
  #asked = 0
  #done = 0

  constructor(reading: IndexReading) {
    this.#reading = reading
  }

  /**
   * Everything in these places. What is there and cannot be read, or does not belong there, is unreadable; tags of other
   * kinds say nothing, and so do yanks of what is not there. Throws as the registry does, and `offline`.
   */
  async read(shelves: readonly FilledShelf[]): Promise<Found> {
    const places = shelves.flatMap(({shelf, tags}) => tags.map(tag => ({shelf, tag})))
    const entries = await this.#all(
      places.filter(({tag}) => isEntryTag(tag)),
      this.#entry,
    )
    const summaries = entries.flatMap(({read}) => read ?? [])
    const withdrawable = new Set(summaries.map(yankTag))
    const yanks = await this.#all(
      places.filter(({tag}) => isYankTag(tag) && withdrawable.has(tag)),
      this.#yank,
    )
    return {
      summaries,
      unreadable: [...entries, ...yanks].flatMap(({unreadable}) => unreadable ?? []),
      yanked: yanks.flatMap(({read}) => read ?? []),
    }
  }

  async #all<T>(
    places: readonly Place[],
    read: (place: Place) => Promise<T | undefined>,
  ): Promise<Outcome<T>[]> {
    const outcomes = new Map<Place, Outcome<T>>()
    this.#asked += places.length
    await mapConcurrent(places, MAX_READS, async place => {
      outcomes.set(place, await this.#outcome(place, read))
      this.#done += 1
    })
    const all = places.flatMap(place => outcomes.get(place) ?? [])
    const missing = all.flatMap(({missing}) => missing ?? [])
    if (missing.length > 0) throw this.#reading.missing(missing)
    return all
  }

  async #outcome<T>(place: Place, read: (place: Place) => Promise<T | undefined>): Promise<Outcome<T>> {
    const {shelf, tag} = place
    const about = {identity: formatRepository(shelf.repository), tag: `${shelf.prefix}${tag}`}
    try {
      const value = await read(place)
      if (value !== undefined) return {read: value}
      const refusal = await this.#reading.refusal(shelf, tag)
      return refusal === undefined ? {missing: about.tag} : {unreadable: {...about, reason: refusal}}
    } catch (error) {
      const reason = reasonOf(brokenBy(error))
      await this.#reading.rememberRefusal(shelf, tag, reason)
      return {unreadable: {...about, reason}}
    }
  }

  /** Undefined offline for what was never read. */
  readonly #entry = async ({shelf, tag}: Place): Promise<IndexedSummary | undefined> => {
    const key = `${shelf.name}:${tag}`
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const read = await this.#document({shelf, tag}, 'entry', bytes => ofTag(tag, bytes, shelf))
    if (read === undefined) return undefined
    const entry = this.#once(tag, read)
    this.#entries.set(key, entry)
    return entry
  }

  #once(tag: string, read: IndexedSummary): IndexedSummary {
    const known = this.#lastOf.get(tag)
    if (known !== undefined && summaryText(known) === summaryText(read)) return known
    this.#lastOf.set(tag, read)
    return read
  }

  readonly #yank = async ({shelf, tag}: Place): Promise<YankedVersion | undefined> =>
    await this.#document({shelf, tag}, 'yank', bytes => yankOfTag(tag, bytes))

  /** As it was read here before, and else as it is. What another place says under the same tag is no answer here. */
  async #document<T>(
    {shelf, tag}: Place,
    kind: 'entry' | 'yank',
    read: (bytes: Uint8Array) => T,
  ): Promise<T | undefined> {
    const known = await this.#reading.remembered(shelf, tag, read)
    if (known !== undefined) return known
    const bytes = await this.#reading.document(shelf, tag, kind)
    if (bytes === undefined) return undefined
    // What is remembered is there at once: nobody has to be told.
    this.#reading.tell(this.#done + 1, this.#asked)
    const value = read(bytes)
    await this.#reading.remember(shelf, tag, bytes)
    return value
  }
}

interface Place {
  readonly shelf: Shelf
  readonly tag: string
}

/** The same if it has no more versions than anybody publishes; else `limit-exceeded`. */
export function expectFew(filled: FilledShelf): FilledShelf {
  const {shelf, tags} = filled
  const count = tags.filter(isEntryTag).length
  if (count <= MAX_ENTRIES) return filled
  throw new CrossplaneError(
    'limit-exceeded',
    `${formatRepository(shelf.repository)} holds ${count} versions for ${shelf.name}, and up to ${MAX_ENTRIES} are read`,
    {
      suggestions: [
        'Ask whoever runs the index what they are; an index of your own needs only what you use.',
      ],
    },
  )
}

function ofTag(tag: string, bytes: Uint8Array, shelf: Shelf): IndexedSummary {
  const read = readEntry(tag, bytes)
  if (entryTag(read) !== tag) throw invalid(`it is ${read.identity}:${read.tag} and has another's tag`)
  if (!shelf.holds(read)) throw invalid(`it is ${read.identity}:${read.tag}, which does not belong here`)
  return read
}

function yankOfTag(tag: string, bytes: Uint8Array): YankedVersion {
  const read = readYank(tag, bytes)
  if (yankTag(read) !== tag) throw invalid(`it withdraws ${read.identity}:${read.tag} and has another's tag`)
  return read
}

function invalid(reason: string): CrossplaneError {
  return new CrossplaneError('index-invalid', reason)
}

/** The failure if it says that something is wrong with the tag, and not with the way to the registry. */
function brokenBy(error: unknown): CrossplaneError {
  if (error instanceof CrossplaneError && BROKEN.includes(error.code)) return error
  throw error
}

const BROKEN: readonly ErrorCode[] = [
  'index-invalid',
  'source-invalid',
  'unsupported',
  'limit-exceeded',
  'digest-mismatch',
  'not-found',
]

function reasonOf({message, diagnostics: [fault]}: CrossplaneError): string {
  return (fault?.message ?? message).replace(/\.$/, '')
}
