import type {BuildReport} from '../../pipeline/author/build-to-disk.js'
import type {PushReport} from '../../pipeline/author/push-package.js'
import {count} from '../../text.js'

/** Formats the written image as a line: `oci:out:v1: 12 files, 3456 bytes`. */
export function formatBuild({target, files, size, images}: BuildReport): string {
  const what = [
    `${count(files, 'file')} of the package`,
    ...(images > 1 ? [`${images} images`] : []),
    `${size} bytes`,
  ]
  return `${target}: ${what.join(', ')}\n`
}

/** Returns a line for the push, and one for the index. */
export function formatPush({reference, size, images, unchanged, index}: PushReport): string {
  const what = [...(images > 1 ? [`${images} images`] : []), `${size} bytes`]
  const done = unchanged ? 'unchanged' : `pushed ${what.join(', ')}`
  const listed = index === undefined ? '' : `${index.root}: ${INDEXED[index.state]}\n`
  return `${reference}: ${done}\n${listed}`
}

const INDEXED = {
  added: 'added to the index',
  present: 'unchanged in the index',
  replaced: 'replaced in the index',
} as const
