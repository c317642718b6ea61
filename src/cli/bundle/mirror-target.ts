import type {MirrorTarget} from '../../bundles/mirror-target.js'
import {CrossplaneError} from '../../errors.js'
import {sourceParts} from '../../reference/image-source.js'
import {repositoryOf} from '../../reference/repository.js'
import {quoted} from '../../text.js'

/** The registry that a bundle is pushed to, with or without a path. Throws `usage`. */
export function mirrorTarget(text: string): MirrorTarget {
  const parts = sourceParts(text)
  if (parts?.registry !== undefined) {
    return {registry: repositoryOf({...parts, path: 'any/image'}).registry, path: parts.path}
  }
  throw new CrossplaneError('usage', `invalid registry ${quoted(text)}`, {
    suggestions: ['Write HOST[:PORT][/PREFIX], such as registry.example.org/mirror.'],
  })
}
