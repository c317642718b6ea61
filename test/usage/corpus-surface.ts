import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {surfaceOfStack} from '../../src/package/stack/surface.js'
import {surfaceOfXpkg} from '../../src/package/xpkg/surface.js'
import type {PackageSurface} from '../../src/usage/package-surface.js'
import {CORPUS_ROOT, registryFilesIn} from '../corpus.js'

/** What users depend on of a package of the corpus, `NAME@VERSION`, of either format. */
export function surfaceOfCorpus(name: string): PackageSurface {
  const registry = join(CORPUS_ROOT, 'corpus', name, '.registry')
  if (existsSync(registry))
    return surfaceOfStack({name, readFrom: name, repositoryPath: name, files: registryFilesIn(registry)})
  const folder = join(CORPUS_ROOT, 'corpus-xpkg', name)
  const files = registryFilesIn(folder).filter(({path}) => /^(?:crossplane|crds\/.*)\.yaml$/.test(path))
  return surfaceOfXpkg({name, files})
}
