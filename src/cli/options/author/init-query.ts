import {basename, resolve} from 'node:path'
import type {FlagValues} from '../../flags/flag-values.js'
import type {initFlags} from '../../flags/init.js'
import type {InitQuery} from '../../../pipeline/author/init-package.js'

/** The query of `package init`. */
export function initQuery(path: string, flags: FlagValues<typeof initFlags>): InitQuery {
  const {name, title, scope, update, 'from-crds': fromCrds} = flags
  const folderName = basename(resolve(path))
  return {path, folderName, name, title, scope, fromCrds, update, controller: !flags['no-controller']}
}
