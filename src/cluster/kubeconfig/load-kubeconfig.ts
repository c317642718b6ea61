import {CrossplaneError} from '../../errors.js'
import {escaped} from '../../text.js'
import type {Kubeconfig} from './kubeconfig.js'
import type {ConnectionFiles} from './ports.js'
import {readKubeconfig} from './read-kubeconfig.js'

/** The files to read: one that must exist, or a list in which any may be missing. */
export interface KubeconfigPlaces {
  /** The flag `--kubeconfig`; empty where it is not set. */
  readonly explicit: string
  /** The list of KUBECONFIG, or the file in the home folder. */
  readonly listed: readonly string[]
}

/** Reads and merges the files; undefined if none of the list exists. Throws `not-found` for the explicit one, `read-failed` and `input-invalid`. */
export async function loadKubeconfig(
  {explicit, listed}: KubeconfigPlaces,
  files: ConnectionFiles,
): Promise<Kubeconfig | undefined> {
  const paths = explicit === '' ? [...new Set(listed)].filter(path => path !== '') : [explicit]
  const read = await Promise.all(paths.map(async path => ({path, bytes: await files.read(path)})))
  if (explicit !== '' && read[0]?.bytes === undefined) {
    throw new CrossplaneError(
      'not-found',
      `cannot read the kubeconfig ${escaped(explicit)}: no such file or directory`,
      {
        suggestions: ['Pass --kubeconfig FILE with an existing file, or leave it out.'],
      },
    )
  }
  if (read.every(({bytes}) => bytes === undefined)) return undefined
  return mergeKubeconfigs(
    read.flatMap(({path, bytes}) =>
      bytes === undefined
        ? []
        : [readKubeconfig({path, bytes, resolve: relative => files.resolve(path, relative)})],
    ),
  )
}

/**
 * Merges the files of a KUBECONFIG list as kubectl does: the first file with an entry of a name, or with a current
 * context, decides all of it.
 */
function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
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
