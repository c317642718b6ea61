import {groupOf} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {shellWord} from '../text.js'

/** The command that prints an object with what its server and controllers report. */
export function describe({apiVersion, kind, namespace, name}: ObjectName): string {
  const group = groupOf(apiVersion)
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
  const where = namespace === undefined ? '' : ` --namespace ${shellWord(namespace)}`
  return `kubectl describe ${shellWord(type)} ${shellWord(name)}${where}`
}
