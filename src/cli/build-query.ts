import type {BuildPorts, BuildQuery} from '../pipeline/build-package.js'
import type {BasePorts} from '../pipeline/base-image.js'
import {type EraName, ERAS} from '../render/era.js'
import {sourceDateEpoch} from './source-date-epoch.js'
import {packageSources, sourceControl} from './wire.js'

/** The values of flags by which a package is built, as oclif parses them. */
export interface BuildFlagValues {
  readonly api: EraName
  readonly from?: string
  readonly 'bake-metadata': boolean
  readonly 'no-lint': boolean
}

/** What such a command line asks for. Throws `usage` for a date that is none. */
export function buildQuery(path: string, flags: BuildFlagValues): BuildQuery & {readonly from?: string} {
  const epoch = sourceDateEpoch()
  return {
    path,
    lint: !flags['no-lint'],
    ...(flags['bake-metadata'] ? {bake: ERAS[flags.api]} : {}),
    ...(epoch === undefined ? {} : {epoch}),
    ...(flags.from === undefined ? {} : {from: flags.from}),
  }
}

export function buildPorts(): BuildPorts & BasePorts {
  return {sources: packageSources, sourceControl}
}
