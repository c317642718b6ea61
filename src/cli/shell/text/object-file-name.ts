import type {ObjectName} from '../../../kubernetes/object-name.js'

/** Below the limit of file systems, with space for a number. */
const MAX_LENGTH = 240

/** The file of an object in a diff, as kubectl names it: GROUP.VERSION.KIND.NAMESPACE.NAME, `-` for other characters. */
export function objectFileName({apiVersion, kind, namespace = '', name}: ObjectName): string {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const parts = [...(group === '' ? [] : [group]), version, kind, namespace, name]
  return parts
    .join('.')
    .replace(/[^a-zA-Z0-9.-]/g, '-')
    .slice(0, MAX_LENGTH)
}
