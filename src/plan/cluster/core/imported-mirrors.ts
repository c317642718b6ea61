import type {Diagnostic} from '../../../diagnostic.js'
import type {ClusterMirror} from '../../../locate/remote-repository.js'
import {compareText} from '../../../reference/compare-text.js'
import {parseImageName} from '../../../reference/image-name.js'
import {mirroredRepository, type Mirrors} from '../../../reference/mirrors.js'
import {formatRepository, repositoryOf} from '../../../reference/repository.js'
import {escaped, listNames} from '../../../text.js'

type MirrorOf = (repository: string) => ClusterMirror | undefined

/**
 * Returns the mirrors of a declaration that read packages from where a core reads them. Its ImageConfigs replace texts, a
 * declaration whole segments: what differs gets an entry for one repository.
 */
export function importedMirrors(repositories: readonly string[], mirrorOf: MirrorOf): Mirrors {
  const mirrors = Object.fromEntries(
    repositories.flatMap(repository => {
      const mirror = mirrorOf(repository)
      return mirror === undefined ? [] : rewrittenRegistry(repository, mirror)
    }),
  )
  // An entry for one repository is for those below it, too: the shorter ones come first.
  for (const repository of [...repositories].sort((a, b) => a.length - b.length)) {
    const target = mirrorOf(repository)?.repository ?? repository
    if (readFrom(repository, mirrors) !== readFrom(target, {})) mirrors[repository] = target
  }
  return Object.fromEntries(Object.entries(mirrors).sort(([a], [b]) => compareText(a, b)))
}

/** The registry, with or without a path, that an ImageConfig rewrites; none where its prefix ends within a segment. */
function rewrittenRegistry(
  repository: string,
  {rewrite: {from, to}}: ClusterMirror,
): readonly (readonly [string, string])[] {
  const isWhole = from.endsWith('/') ? to.endsWith('/') : repository.charAt(from.length) === '/'
  return isWhole ? [[from.replace(/\/$/, ''), to.replace(/\/$/, '')]] : []
}

function readFrom(repository: string, mirrors: Mirrors): string {
  const name = parseImageName(repository)
  return name === undefined ? '' : formatRepository(mirroredRepository(repositoryOf(name), mirrors))
}

/** Says that a declaration holds the mirrors of a cluster. */
export function importedMirrorNotes(
  repositories: readonly string[],
  mirrorOf: MirrorOf,
): readonly Diagnostic[] {
  const names = new Set(repositories.flatMap(repository => mirrorOf(repository)?.imageConfig ?? []))
  if (names.size === 0) return []
  const message = `Crossplane reads packages from mirrors, as its ImageConfigs say (${listNames([...names].map(escaped))}): the declaration has them in registries`
  return [{severity: 'note', rule: 'import-mirror', message}]
}
