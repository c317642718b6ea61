import {isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {InstallId, InstallSet, SetObject} from '../../render/install-set.js'
import type {OutputFile} from './file-tree.js'

/**
 * Returns the files with the installs that each belongs to, so that the files of an install are in a list of its own:
 * those of its folder, its CRDs and its Namespace, and what a layout adds under the name of its folder. A CRD that no
 * install claims has a list of its own. The others, such as the base, belong to none.
 */
export function filesOfInstalls(files: readonly OutputFile[], set: InstallSet): readonly OutputFile[] {
  const folders = new Set(files.flatMap(({path}) => OF_INSTALL.exec(path)?.slice(1) ?? []))
  const sharers = new Map(
    set.objects.map(object => [objectKey(nameOf(object.object)), sharersOf(object, set).map(folderOf)]),
  )
  return files.map(file => {
    const segments = file.path.split('/').map(text => text.replace(/\.yaml$/, ''))
    const own = segments.find(segment => folders.has(segment))
    const installs = own === undefined ? sharing(file, sharers) : [own]
    return installs.length === 0 ? file : {...file, installs}
  })
}

const OF_INSTALL = /^installs\/([^/]+)\//

function folderOf({namespace, name}: InstallId): string {
  return `${namespace}.${name}`
}

function sharing({object}: OutputFile, sharers: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (object === undefined) return []
  const names = sharers.get(objectKey(nameOf(object))) ?? []
  return names.length === 0 && isCrd(object) ? [`crd.${object.metadata.name}`] : [...new Set(names)].sort()
}

/** The installs for which a shared object is in the set. */
function sharersOf({shared, claims = [], object}: SetObject, {installs}: InstallSet): readonly InstallId[] {
  if (shared === 'crd') return claims
  const {name} = object.metadata
  if (shared === 'namespace') return installs.filter(({namespace}) => namespace === name)
  if (shared !== 'namespace-role') return []
  return installs.filter(({namespace}) => name.startsWith(`crossplane:ns:${namespace}:`))
}
