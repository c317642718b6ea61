import {formatSummary} from '../../index/package-summary.js'
import type {Catalog} from '../catalog/catalog.js'
import type {RequestedRoots} from '../requested/requested-roots.js'
import type {ReadCatalog} from './solve-and-read.js'

/** A catalog in which some packages were read already; locked digests are not compared with the registry. */
export function withGiven(catalog: Catalog, {opened}: RequestedRoots): ReadCatalog {
  return {
    carrierOf: summary => catalog.carrierOf(summary),
    contradictionOf: summary =>
      opened.has(formatSummary(summary)) ? Promise.resolve(undefined) : catalog.contradictionOf(summary),
    open: async summary => opened.get(formatSummary(summary)) ?? (await catalog.open(summary)),
  }
}
