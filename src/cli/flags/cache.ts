import {boolean, string} from '@oclif/core/flags'

/** Where pulled packages are kept. */
export const cacheDirFlag = {
  'cache-dir': string({
    env: 'CROSSPLANE_CACHE_DIR',
    helpGroup: 'CACHE',
    helpValue: 'DIR',
    summary: 'Folder of pulled packages; otherwise kubectl-crossplane in $XDG_CACHE_HOME or ~/.cache.',
  }),
}

/** Flags that say what a pull may take from where. */
export const cacheFlags = {
  ...cacheDirFlag,
  'no-cache': boolean({
    helpGroup: 'CACHE',
    exclusive: ['offline'],
    summary: 'Pull packages anew and keep nothing.',
  }),
  offline: boolean({
    env: 'CROSSPLANE_OFFLINE',
    helpGroup: 'CACHE',
    summary: 'Take packages from the cache only; nothing is asked of a registry.',
  }),
}
