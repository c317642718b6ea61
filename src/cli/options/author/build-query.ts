import {CrossplaneError} from '../../../errors.js'
import type {BuildPorts, BuildQuery} from '../../../pipeline/author/build-package.js'
import type {BasePorts, RegistryAt} from '../../../pipeline/author/base-image.js'
import {type EraName, ERAS} from '../../../render/era.js'
import type {ReportProgress} from '../../../registry/progress.js'
import {checkedSource} from '../registry/default-source.js'
import type {RegistryFlagValues} from '../registry/http-options.js'
import type {Progress} from '../../output/progress.js'
import {registries} from '../registry/registries.js'
import {sourceDateEpoch} from './source-date-epoch.js'
import {packageSources, sourceControl} from '../../wire.js'

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

/** Where the parts of an image come from; registries are spoken to as the flags say. */
export function buildPorts(
  flags: RegistryFlagValues & {readonly 'default-source'?: string; readonly offline: boolean},
  progress: Progress,
): BuildPorts & BasePorts & {readonly report: ReportProgress} {
  const source = flags['default-source']
  return {
    sources: packageSources,
    sourceControl,
    registry: registryAt(flags, progress),
    report: progress.report,
    ...(source === undefined ? {} : {defaultSource: checkedSource(source)}),
  }
}

/** Registries for what only they can do: with --offline asking one fails. */
export function registryAt(
  flags: RegistryFlagValues & {readonly offline: boolean},
  progress: Progress,
): RegistryAt {
  return flags.offline ? unasked : registries(flags, progress)
}

/** In place of any registry, where none may be asked. */
function unasked(host: string): Promise<never> {
  const message = `Nothing was asked of ${host}, because --offline was given`
  const suggestions = ['Do it where there is a network, without --offline and CROSSPLANE_OFFLINE.']
  return Promise.reject(new CrossplaneError('offline', message, {suggestions}))
}
