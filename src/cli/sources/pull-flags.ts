import {cacheFlags} from '../cache/cache-flags.js'
import {mirrorFlag, registryFlags, sourceFlag} from '../registry/registry-flags.js'

/** Flags of commands that read packages, from any source. */
export const pullFlags = {...sourceFlag, ...mirrorFlag, ...registryFlags, ...cacheFlags}
