import {afterEach} from '@jest/globals'
import {entryBytes, type IndexedSummary} from '../../../src/index/entry/entry-document.js'
import {entryTag, yankTag} from '../../../src/index/entry/entry-tag.js'
import {documentImage} from '../../../src/index/registry/artifact.js'
import {compactIndex} from '../../../src/index/registry/compact-index.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import type {RegistryIndexPorts} from '../../../src/index/registry/index-reading.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import {
  snapshotDocument,
  type SnapshotLine,
  snapshotSize,
} from '../../../src/index/registry/snapshot-document.js'
import {startRegistry} from '../../fakes/registry-server.js'
import {indexed, newClient, putImage} from './some-index.js'

/** Versions of up to 50 packages, which own a CRD of the group `sql.org`. */
export const versions = (count: number, from = 0): IndexedSummary[] =>
  Array.from({length: count}, (_, at) =>
    indexed(`team-${(from + at) % 50}/sql:v1.${from + at}`, {owns: ['tables.sql.org']}),
  )

/**
 * Returns a function that starts a registry with an index below `i`, which ends with the test, as do the servers that are
 * added to `running`. The writer adds the first version; the others are put into the repository of the group `sql.org`.
 */
export function groupIndexes() {
  const running: {close(): Promise<void>}[] = []
  afterEach(() => Promise.all(running.splice(0).map(each => each.close())))
  const indexWith = async (summaries: readonly IndexedSummary[], pageSize = 1000) => {
    const server = await startRegistry({pageSize})
    running.push(server)
    const root = {registry: server.host, path: 'i'}
    const [first, ...others] = summaries
    if (first !== undefined) await indexWriter(root, {registry: newClient()}, 'repositories').add(first)
    const put = (tag: string, image: Parameters<typeof putImage>[3]) =>
      putImage(server, 'i/sql.org', tag, image)
    for (const each of others) await put(entryTag(each), documentImage('entry', entryBytes(each)))
    const snapshot = async (lines: readonly SnapshotLine[], supersedes: readonly string[] = []) => {
      const byTag = new Map(lines.map(line => ['reason' in line ? yankTag(line) : entryTag(line), line]))
      const {tag, bytes} = snapshotDocument({lines: byTag, supersedes})
      await put(tag, documentImage('snapshot', bytes))
      return tag
    }
    return {
      server,
      root,
      put,
      snapshot,
      compact: () => compactIndex(root, {registry: newClient()}),
      snapshots: () =>
        [...server.contents.ensure('i/sql.org').tags.keys()].filter(tag => snapshotSize(tag) !== undefined),
      /** Looks the group up and counts the requests. */
      look: async (ports: Partial<RegistryIndexPorts> = {registry: newClient()}) => {
        const before = server.seen.length
        const found = await registryIndex(root, ports).ofGroup('sql.org')
        return {found, requests: server.seen.length - before}
      },
    }
  }
  return {running, indexWith}
}
