import {basename, resolve} from 'node:path'
import type {FlagValues} from '../../flags/flag-values.js'
import type {initFlags} from '../../flags/init.js'
import type {InitQuery} from '../../../pipeline/author/init-package.js'

/** The query of `package init`. */
export function initQuery(folder: string, flags: FlagValues<typeof initFlags>): InitQuery {
  const {name, title, scope, 'from-crds': fromCrds} = flags
  return {
    folderName: basename(resolve(folder)),
    controller: !flags['no-controller'],
    ...(name === undefined ? {} : {name}),
    ...(title === undefined ? {} : {title}),
    ...(scope === undefined ? {} : {scope}),
    ...(fromCrds === undefined ? {} : {fromCrds}),
  }
}
