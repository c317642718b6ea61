import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Connection} from '../../cluster/connection.js'
import {CrossplaneError} from '../../errors.js'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import {prepareUninstall} from '../../pipeline/cluster/uninstall.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import {quoted} from '../../text.js'
import type {installFlags} from '../flags/cluster.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {uninstallFlags} from '../flags/uninstall.js'
import {installId, isPackageWord} from '../options/install-id.js'
import {uninstallOptions} from '../options/uninstall-options.js'

/** A command line that names what to uninstall. */
interface UninstallCommand {
  readonly args: {readonly name?: string | undefined}
  readonly flags: FlagValues<typeof installFlags & typeof uninstallFlags>
}

interface UninstallPorts {
  readonly connection: Connection
  readonly api: ClusterApi
  readonly saved: SavedClusterPlan | undefined
}

/**
 * Plans the removal of an install or, if there is none of this name, of a package for a current Crossplane. Throws `not-found`
 * if there is neither.
 */
export async function decidedUninstall(
  {args: {name}, flags}: UninstallCommand,
  {connection, api, saved}: UninstallPorts,
): Promise<ClusterChange> {
  const options = uninstallOptions(flags)
  const ignoresNotFound = flags['ignore-not-found']
  if (name !== undefined && isPackageWord(name))
    return await packageRemoval(name, options, ignoresNotFound, api)
  const id = installId(name, flags.namespace ?? connection.namespace)
  try {
    return await prepareUninstall({id, options, ignoresNotFound, ...(saved && {saved})}, api)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'not-found') throw error
    const {prepareUninstallPackage} = await import('../../pipeline/cluster/core/uninstall-packages.js')
    const change = await prepareUninstallPackage({text: name ?? '', options}, api)
    if (change === undefined) throw error
    return change
  }
}

async function packageRemoval(
  text: string,
  options: UninstallOptions,
  ignoresNotFound: boolean,
  api: ClusterApi,
): Promise<ClusterChange> {
  const {nothingToRemove, prepareUninstallPackage} =
    await import('../../pipeline/cluster/core/uninstall-packages.js')
  const change = await prepareUninstallPackage({text, options}, api)
  if (change !== undefined) return change
  if (ignoresNotFound) return nothingToRemove()
  throw noPackage(text)
}

function noPackage(text: string): CrossplaneError {
  return new CrossplaneError('not-found', `package ${quoted(text)} is not installed`, {
    suggestions: [
      'kubectl crossplane package list --all-namespaces',
      'Pass --ignore-not-found if it may have been uninstalled before.',
    ],
  })
}
