import type {ChangedBlobs} from '../../commit/checkout.js'

/** `:MODE MODE OLD NEW STATUS`, and the path in the field that follows. */
const CHANGE = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) \w$/

/** Reads what `git diff --raw -z` prints, with full IDs and without renames. */
export function changedBlobs(output: string): ChangedBlobs {
  const fields = output.split('\0')
  const blobs = new Map<string, string | undefined>()
  for (const [index, field] of fields.entries()) {
    const [, id] = index % 2 === 0 ? (CHANGE.exec(field) ?? []) : []
    const path = fields[index + 1]
    if (id !== undefined && path !== undefined) blobs.set(path, /^0+$/.test(id) ? undefined : id)
  }
  return blobs
}
