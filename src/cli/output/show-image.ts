import type {BuildReport} from '../../pipeline/author/build-to-disk.js'
import type {PushReport} from '../../pipeline/author/push-package.js'

/** What was written, in a line: `oci:out:v1: 12 files, 3456 bytes`. */
export function formatBuild({target, files, size, images}: BuildReport): string {
  const what = [`${files} files of the package`, ...(images > 1 ? [`${images} images`] : []), `${size} bytes`]
  return `${target}: ${what.join(', ')}\n`
}

/** What is in the registry now, in a line, and in an index in another. */
export function formatPush({reference, size, images, unchanged, index}: PushReport): string {
  const what = [...(images > 1 ? [`${images} images`] : []), `${size} bytes`]
  const done = unchanged ? 'it is there already' : `pushed ${what.join(', ')}`
  const listed = index === undefined ? '' : `${index.root}: ${INDEXED[index.state]}\n`
  return `${reference}: ${done}\n${listed}`
}

const INDEXED = {added: 'added to this index', present: 'the index has it already'} as const
