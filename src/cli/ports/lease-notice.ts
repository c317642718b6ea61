import type {LeaseWaiting} from '../../cluster/lease/acquire-lease.js'
import {escaped, quoted} from '../../text.js'

/** Returns a function that names the holder of a Lease, each holder once. */
export function leaseNotice(print: (line: string) => void): (waiting: LeaseWaiting) => void {
  const shown = new Set<string>()
  return ({namespace, holder}) => {
    const line = `Waiting for the Lease of namespace ${escaped(namespace)}, held by ${quoted(holder)}`
    if (!shown.has(line)) print(line)
    shown.add(line)
  }
}
