import {CrossplaneError} from '../errors.js'
import {parsePlatform} from '../fetch/platform.js'
import type {PackagePorts} from '../pipeline/located-package.js'
import type {RemotePackages} from '../pipeline/pull-package.js'
import {isImageSource} from '../reference/image-source.js'
import type {Progress} from './progress.js'
import {type RegistryFlagValues, transportOptions} from './registry-options.js'
import {packageCache, packageFolder, packageSources, registry} from './wire.js'

/** The values of the flags that say where packages come from, as oclif parses them. */
export interface SourceFlagValues extends RegistryFlagValues {
  readonly packages?: string
  readonly platform?: string
  readonly 'default-source'?: string
  readonly offline: boolean
  readonly 'no-cache': boolean
  readonly 'cache-dir'?: string
}

/** Where a command finds packages. Nothing is opened before it is asked of. */
export async function packagePorts(flags: SourceFlagValues, progress: Progress): Promise<PackagePorts> {
  const {packages, platform, 'default-source': source} = flags
  return {
    sources: packageSources,
    remote: remotePackages(flags, progress),
    ...(packages === undefined ? {} : {folder: await packageFolder(packages)}),
    ...(platform === undefined ? {} : {platform: parsePlatform(platform)}),
    ...(source === undefined ? {} : {defaultSource: checkedSource(source)}),
  }
}

function remotePackages(flags: SourceFlagValues, progress: Progress): RemotePackages {
  return {
    ...(flags.offline ? {} : {registry: () => registry(transportOptions(flags), progress)}),
    ...(flags['no-cache'] ? {} : {cache: () => packageCache(flags['cache-dir'], progress.warn)}),
    onPulled: progress.pulled,
  }
}

function checkedSource(source: string): string {
  if (isImageSource(source)) return source
  throw new CrossplaneError('usage', `--default-source ${JSON.stringify(source)} is no registry`, {
    suggestions: ['Write a host, with or without a port and a path: registry.example.org:5000/team.'],
  })
}
