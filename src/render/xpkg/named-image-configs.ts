import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {XpkgSetObject} from './xpkg-set.js'

/** In place of a name: the ImageConfig is not part of the set, because the cluster has another one for the same references. */
export const LEFT_TO_CLUSTER = 'none'

/**
 * Gives ImageConfigs of a set the names that they have in a cluster, and leaves out those that are left to the cluster. Throws `usage` if two
 * of them would have one name.
 */
export function withNamesOfCluster(
  objects: readonly XpkgSetObject[],
  names: Readonly<Record<string, string>>,
): readonly XpkgSetObject[] {
  const named = objects.flatMap((staged): readonly XpkgSetObject[] => {
    const {object} = staged
    const name = object.kind === 'ImageConfig' ? ownValue(names, object.metadata.name) : undefined
    if (name === undefined) return [staged]
    if (name === LEFT_TO_CLUSTER) return []
    return [{...staged, object: {...object, metadata: {...object.metadata, name}}}]
  })
  const all = named.flatMap(({object}) => (object.kind === 'ImageConfig' ? [object.metadata.name] : []))
  const twice = all.find((name, index) => all.indexOf(name) !== index)
  if (twice === undefined) return named
  throw new CrossplaneError('usage', `two ImageConfigs of the set have the name ${quoted(twice)}`, {
    suggestions: ['Use each name only once in xpkg.imageConfigs of the declaration.'],
  })
}

/** Names are chosen by users: `constructor` is one. */
function ownValue(names: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined
}
