import {basename, resolve} from 'node:path'
import type {InitQuery} from '../../../pipeline/author/init-package.js'

/** The values of `package init`'s flags, as oclif parses them. */
export interface InitFlagValues {
  readonly name?: string
  readonly title?: string
  readonly scope?: InitQuery['scope']
  readonly 'from-crds'?: string
  readonly 'no-controller': boolean
}

export function initQuery(folder: string, flags: InitFlagValues): InitQuery {
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
