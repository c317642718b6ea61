import {correctionTag, isCorrectionTag} from '../entry/entry-tag.js'
import {entryText} from '../entry/entry-document.js'
import {isYank, type SnapshotLine} from './snapshot-document.js'

/**
 * The content of entries that a publisher found wrong, by the tags of one group or package. Anyone who can push can name
 * any content, so a correction hides nothing: it says what is not taken from copies, which are snapshots and the cache.
 */
export class Corrections {
  readonly #tags: ReadonlySet<string>

  constructor(tags: readonly string[]) {
    this.#tags = new Set(tags.filter(isCorrectionTag))
  }

  /** Reports whether this content of an entry is named as wrong. */
  name(tag: string, line: SnapshotLine): boolean {
    if (this.#tags.size === 0 || isYank(line)) return false
    return this.#tags.has(correctionTag(tag, entryText(line)))
  }
}
