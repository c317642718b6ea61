import type {PackageIndex} from './package-index.js'
import {type Found, listedSummaries} from './summaries.js'

/** Returns an index that was read completely. */
export function listedIndex(name: string, found: Found): PackageIndex {
  return {name, ...listedSummaries(found), all: () => Promise.resolve(found)}
}
