import type {BuildReport} from '../pipeline/build-to-disk.js'

/** What was written, in a line: `oci:out:v1: 12 files, 3456 bytes`. */
export function formatBuild({target, files, size, images}: BuildReport): string {
  const what = [`${files} files of the package`, ...(images > 1 ? [`${images} images`] : []), `${size} bytes`]
  return `${target}: ${what.join(', ')}\n`
}
