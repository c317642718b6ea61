import {cacheFlags} from './cache.js'
import {mirrorFlag, registryFlags, sourceFlag} from './registry.js'

/** Flags of commands that read packages, from any source. */
export const pullFlags = {...sourceFlag, ...mirrorFlag, ...registryFlags, ...cacheFlags}
