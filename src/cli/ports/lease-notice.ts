import type {LeaseWaiting} from '../../cluster/lease/acquire-lease.js'
import {escaped, quoted} from '../../text.js'

/** Returns a function that names the holder of a Lease on standard error, each holder once. */
export function leaseNotice(): (waiting: LeaseWaiting) => void {
  const shown = new Set<string>()
  return ({namespace, holder}) => {
    const line = `Waiting for the Lease of namespace ${escaped(namespace)}, held by ${quoted(holder)}\n`
    if (!shown.has(line)) process.stderr.write(line)
    shown.add(line)
  }
}
