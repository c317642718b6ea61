import type {PackageIndex} from './package-index.js'
import {type Found, listedSummaries} from './summaries.js'

/** Returns an index that was read completely. */
export function listedIndex(name: string, content: Found): PackageIndex {
  return {name, ...listedSummaries(content), all: () => Promise.resolve(content)}
}
