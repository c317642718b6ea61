import type {BuildReport} from '../../pipeline/author/build-to-disk.js'
import type {PushReport} from '../../pipeline/author/push-package.js'

/** What was written, in a line: `oci:out:v1: 12 files, 3456 bytes`. */
export function formatBuild({target, files, size, images}: BuildReport): string {
  const what = [`${files} files of the package`, ...(images > 1 ? [`${images} images`] : []), `${size} bytes`]
  return `${target}: ${what.join(', ')}\n`
}

/** What is in the registry now, in a line. */
export function formatPush({reference, size, images, unchanged}: PushReport): string {
  if (unchanged) return `${reference}: it is there already\n`
  const what = [...(images > 1 ? [`${images} images`] : []), `${size} bytes`]
  return `${reference}: pushed ${what.join(', ')}\n`
}
