import {CrossplaneError} from '../../errors.js'
import type {AttestPorts} from '../../pipeline/author/attestations.js'
import type {BasePorts} from '../../pipeline/author/base-image.js'
import type {RegistryAt} from '../../registry/registry.js'
import type {TemplateChecks} from '../../package/lint.js'
import {present} from '../../present.js'
import type {BuildPorts} from '../../package/build.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {noRegistryFlag, registryFlags, sourceFlag} from '../registry/registry-flags.js'
import {checkedSource} from '../sources/default-source.js'
import type {Progress} from '../shell/progress/step-event.js'
import {packageSources, repositoryPaths, schemaRules, sourceControl} from '../wire.js'
import {registries} from '../registry/registries.js'

type OnlineFlags = FlagValues<typeof registryFlags & typeof noRegistryFlag>

/** The sources of the parts of an image. */
export function buildPorts(
  flags: OnlineFlags & FlagValues<typeof sourceFlag>,
  progress: Progress,
  checkTemplates: TemplateChecks | undefined,
): BuildPorts & BasePorts & AttestPorts & {readonly report: ReportProgress} {
  const source = flags['default-source']
  return {
    sources: packageSources,
    sourceControl,
    repositoryPaths,
    schemaRules,
    registry: registryAt(flags, progress),
    report: progress.report,
    ...present({checkTemplates}),
    ...(source === undefined ? {} : {defaultSource: checkedSource(source)}),
  }
}

/** Registries for operations without a cache; with --offline, opening one fails. */
export function registryAt(flags: OnlineFlags, progress: Progress): RegistryAt {
  return flags.offline ? rejectAccess : registries(flags, progress)
}

/** Stands in for every registry while offline. */
function rejectAccess(host: string): Promise<never> {
  const message = `cannot access ${host}: offline`
  const suggestions = ['Leave out --offline, and unset CROSSPLANE_OFFLINE.']
  return Promise.reject(new CrossplaneError('offline', message, {suggestions}))
}
