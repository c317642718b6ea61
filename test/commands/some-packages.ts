import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {CORPUS_ROOT} from '../corpus.js'
import {BLOG, DATABASE} from './fixtures.js'

/** A package in a folder, with what has to be said of it. */
export interface SomePackage {
  readonly name: string
  readonly folder: string
  readonly flags: readonly string[]
}

const asPackage = (name: string, [folder = '', ...flags]: readonly string[]): SomePackage => ({
  name,
  folder,
  flags,
})

export const OUR_PACKAGES: readonly SomePackage[] = [
  asPackage('cli-database', DATABASE),
  asPackage('cli-blog', BLOG),
]

/** Of the real packages a large Cluster one, a Namespaced one and one of several groups; none where there is no corpus. */
export const REAL_PACKAGES: readonly SomePackage[] = [
  'provider-gcp@v0.11.0',
  'app-wordpress@v0.5.0',
  'provider-rook@v0.7.0',
]
  .map(name => realPackage(name))
  .filter(({folder}) => existsSync(folder))

/** A package of the corpus, `<name>@<ref>`, as if pulled from where it once was. */
export function realPackage(name: string): SomePackage {
  const reference = `crossplane/${name.replace('@', ':')}`
  return {
    name,
    folder: join(CORPUS_ROOT, 'corpus', name),
    flags: ['--as-package', reference, '--namespace', 'team-a'],
  }
}
