import type {LockedPackage} from '../../declaration/lock.js'
import {grouped} from '../../grouped.js'
import {formatSummary} from '../../index/package-summary.js'
import {listedSummaries, type UnreadablePackage} from '../../index/summaries.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from '../catalog/catalog.js'
import {openPinned} from '../catalog/index-catalog.js'
import {openEntry, type ReadFolder, readFolder} from '../catalog/read-folder.js'
import type {NameRepository} from '../repository-names.js'
import {folderAdvice} from './missing-in-folder.js'

/** Packages that are read at a time. */
const MAX_READS = 4

/** Reads locked packages by their digests, or from the folder, without reading an index or resolving a tag. */
export class LockedPackages {
  readonly #ports: PackagePorts
  readonly #nameOf: NameRepository
  readonly #opened = new Map<LockedPackage, Promise<OpenPackage | undefined>>()
  readonly #missing: LockedPackage[] = []
  #folder: Promise<ReadFolder> | undefined

  constructor(ports: PackagePorts, nameOf: NameRepository) {
    this.#ports = ports
    this.#nameOf = nameOf
  }

  /** Undefined for a package without a digest that the folder does not have. Throws as pulling does. */
  open(locked: LockedPackage): Promise<OpenPackage | undefined> {
    const cached = this.#opened.get(locked)
    if (cached !== undefined) return cached
    const opened = this.#read(locked)
    this.#opened.set(locked, opened)
    return opened
  }

  async #read(locked: LockedPackage): Promise<OpenPackage | undefined> {
    const {entries} = await this.#readFolder()
    const named = [...entries].filter(([summary]) => formatSummary(summary) === formatSummary(locked))
    const [, entry] = named.find(([{digest}]) => digest === locked.digest) ?? named[0] ?? []
    if (entry !== undefined) return await openEntry(entry, this.#ports)
    if (locked.digest !== undefined) return await openPinned(locked, this.#ports)
    this.#missing.push(locked)
    return undefined
  }

  /** Returns the suggestion for a request that the lock does not satisfy; `remedy` updates the lock. */
  suggestions(remedy: string): string[] {
    if (this.#missing.length === 0) return [remedy]
    const hasFolder = this.#ports.folder !== undefined
    const advice = folderAdvice(this.#missing.map(formatSummary).sort(), hasFolder)
    return hasFolder ? [advice, remedy] : [advice]
  }

  #readFolder(): Promise<ReadFolder> {
    return (this.#folder ??= readFolder(this.#ports, this.#nameOf))
  }

  /** The catalog of exactly these packages. */
  async catalog(packages: readonly LockedPackage[]): Promise<Catalog> {
    const openedByIdentity = new Map<string, OpenPackage>()
    const unreadable: UnreadablePackage[] = []
    await mapConcurrent(packages, MAX_READS, async locked => {
      const opened = await this.open(locked)
      if (opened === undefined)
        unreadable.push({identity: locked.identity, tag: locked.tag, reason: NOT_FOUND})
      else openedByIdentity.set(formatSummary(locked), opened)
    })
    const summaries = packages.flatMap(locked => {
      const opened = openedByIdentity.get(formatSummary(locked))
      return opened === undefined ? [] : [summaryOfOpen(opened, locked.identity)]
    })
    const byIdentity = grouped(summaries, ({identity}) => identity)
    return {
      summaries: listedSummaries({summaries, unreadable, yanked: []}),
      tagsOf: name => Promise.resolve((byIdentity.get(this.#nameOf(name)) ?? []).map(({tag}) => tag)),
      yankedOf: () => Promise.resolve([]),
      contradictionOf: () => Promise.resolve(undefined),
      carrierOf: () => undefined,
      open: summary => {
        const opened = openedByIdentity.get(formatSummary(summary))
        if (opened === undefined) throw new RangeError(`${formatSummary(summary)} is not locked`)
        return Promise.resolve(opened)
      },
    }
  }
}

const NOT_FOUND = 'it is locked without a digest and not found in a folder'
