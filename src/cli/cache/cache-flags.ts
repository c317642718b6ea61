import {boolean, string} from '@oclif/core/flags'

/** The folder of cached packages. */
export const cacheDirFlag = {
  'cache-dir': string({
    env: 'CROSSPLANE_CACHE_DIR',
    helpGroup: 'CACHE',
    helpValue: 'DIR',
    summary: 'Cache folder (default: $XDG_CACHE_HOME/kubectl-crossplane or ~/.cache/kubectl-crossplane)',
  }),
}

/** Flags that restrict the sources of a pull. */
export const cacheFlags = {
  ...cacheDirFlag,
  'no-cache': boolean({
    helpGroup: 'CACHE',
    exclusive: ['offline'],
    summary: 'Pull packages again and do not cache them',
  }),
  offline: boolean({
    env: 'CROSSPLANE_OFFLINE',
    helpGroup: 'CACHE',
    summary: 'Do not access the network; use cached packages only',
  }),
}
