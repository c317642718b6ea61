import {groupOf} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {shellWord} from '../text.js'

/** Returns the command that prints an object with the reports of its server and controllers. */
export function describe({apiVersion, kind, ...object}: ObjectName): string {
  const group = groupOf(apiVersion)
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
  return `kubectl describe ${shellWord(type)} ${placed(object)}`
}

/** The name of an object, and its namespace as a flag, for a command. */
export function placed({namespace, name}: Pick<ObjectName, 'namespace' | 'name'>): string {
  return `${shellWord(name)}${namespace === undefined ? '' : ` --namespace ${shellWord(namespace)}`}`
}
