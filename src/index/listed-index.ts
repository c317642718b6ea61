import type {PackageIndex} from './package-index.js'
import {type Found, listedSummaries} from './summaries.js'

/** An index that is at hand as a whole. */
export function listedIndex(name: string, found: Found): PackageIndex {
  return {name, ...listedSummaries(found), all: () => Promise.resolve(found)}
}
