import {join} from 'node:path'
import {surfaceOfXpkg} from '../../src/package/xpkg/surface.js'
import type {PackageSurface} from '../../src/usage/package-surface.js'
import {CORPUS_ROOT, registryFilesIn} from '../corpus.js'

/** What users depend on of a package of the corpus, `NAME@VERSION`. */
export function surfaceOfCorpus(name: string): PackageSurface {
  const folder = join(CORPUS_ROOT, 'corpus-xpkg', name)
  const files = registryFilesIn(folder).filter(({path}) => /^(?:crossplane|crds\/.*)\.yaml$/.test(path))
  return surfaceOfXpkg({name, files})
}
