import {shortDigest} from '../../reference/image-name.js'
import {lines} from '../shell/text/lines.js'
import type {Cleared} from '../../cache/clear-cache.js'
import type {ListedPackage} from '../../cache/list-cache.js'
import type {Pruned} from '../../cache/prune-cache.js'
import {count} from '../../text.js'
import {formatBytes} from '../shell/text/byte-count.js'
import {formatAge} from '../shell/flags/duration.js'
import type {Paint} from '../shell/text/paint.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** `now` in milliseconds since the epoch. */
export function formatCacheList(
  packages: readonly ListedPackage[],
  now: number,
  paint: Paint,
  isWide = false,
): string {
  const header = ['REFERENCE', 'DIGEST', 'PLATFORM', 'FILES', 'SIZE', 'LAST USED']
  const rows = packages.map(({references, digest, platform, files, bytes, usedAt}): Row => [
    references.join(', '),
    isWide ? digest : shortDigest(digest),
    platform,
    String(files),
    formatBytes(bytes),
    formatAge(now - usedAt),
  ])
  return lines(formatTable([header, ...rows], paint, ''))
}

/** The same as a document's fields: times as ISO 8601. */
export function cacheListDocument(folder: string, packages: readonly ListedPackage[]) {
  return {
    kind: 'CacheList',
    folder,
    packages: packages.map(({usedAt, ...entry}) => ({...entry, lastUsed: new Date(usedAt).toISOString()})),
  }
}

/** Lists what was removed, a line each, then the total. */
export function formatPruned(
  folder: string,
  {packages, tags, files, bytes}: Pruned,
  dryRun: boolean,
): string {
  const [did, freed] = dryRun ? ['would be deleted', 'would be freed'] : ['deleted', 'freed']
  return lines([
    ...packages.map(entry => `${entry.digest} ${entry.platform}`),
    `${folder}: ${count(packages.length, 'package')}, ${count(tags, 'tag')} and ${count(files, 'file')} ${did}, ${formatBytes(bytes)} ${freed}`,
  ])
}

export function formatCleared(folder: string, {items, bytes}: Cleared): string {
  return `${folder}: ${count(items, 'item')} deleted, ${formatBytes(bytes)} freed\n`
}
