import {kindText} from '../model/kinds.js'
import type {Service} from '../services.js'

const MAX_NAME = 253

/** Returns the name of the Lease of a runner: two runners of the same managed kinds never work at a time. */
export function leaseName(services: readonly Service[]): string {
  const kinds = services.map(({managed}) => kindText(managed).toLowerCase()).sort()
  return `services.${kinds.join('.')}`.slice(0, MAX_NAME).replace(/[^a-z0-9]+$/, '')
}
