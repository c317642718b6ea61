import type {Kubeconfig} from './kubeconfig.js'

/**
 * Merges the files of a KUBECONFIG list as kubectl does: the first file with an entry of a name, or with a current
 * context, decides all of it.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    currentContext: configs.map(config => config.currentContext).find(name => name !== '') ?? '',
    contexts: firstOfEach(configs.map(config => config.contexts)),
    clusters: firstOfEach(configs.map(config => config.clusters)),
    users: firstOfEach(configs.map(config => config.users)),
  }
}

function firstOfEach<Entry>(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  return new Map(maps.toReversed().flatMap(map => [...map]))
}
