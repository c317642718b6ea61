import type {Diagnostic} from '../../../diagnostic.js'
import {count, escaped, listNames} from '../../../text.js'

/** Warns of namespaces with more records and requests than were read. */
export function crowdedWarnings(namespaces: readonly string[]): readonly Diagnostic[] {
  if (namespaces.length === 0) return []
  const [verb, word] = namespaces.length === 1 ? ['has', 'namespace'] : ['have', 'namespaces']
  const message = `${word} ${listNames(namespaces)} ${verb} too many or too large requests: the first of them, and those of installs with a system role, are read`
  return [{severity: 'warning', rule: 'requests-not-read', message}]
}

/** Warns of installs without a system role that are not shown, of which there can be thousands. */
export function unshownWarning(namespace: string, unshown: number): Diagnostic {
  const verb = unshown === 1 ? 'is' : 'are'
  const message = `${count(unshown, 'install')} of namespace ${escaped(namespace)} without a system role ${verb} not shown: anyone who may create objects there can name installs; package status NAMESPACE/NAME shows one`
  return {severity: 'warning', rule: 'installs-not-shown', message}
}
