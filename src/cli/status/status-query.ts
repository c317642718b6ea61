import type {Connection} from '../../cluster/connection.js'
import {CrossplaneError} from '../../errors.js'
import {parseLabelSelector} from '../../kubernetes/label-selector.js'
import type {InstallSelection} from '../../pipeline/cluster/list-installs.js'
import type {ClusterStatusQuery} from '../../pipeline/cluster/installed-format.js'
import {lockedInstances} from '../../package/formats.js'
import {present} from '../../present.js'
import type {StatusQuery} from '../../pipeline/cluster/install-status.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import {readExistingLock} from '../../pipeline/request/read-request.js'
import type {installFlags} from '../cluster/cluster-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {selectionFlags} from './selection-flags.js'
import {installId, isPackageWord} from '../cluster/install-id.js'
import {lockToRead} from '../declaration/lock-query.js'

type SelectionValues = FlagValues<typeof installFlags & typeof selectionFlags>

/** The installs that `-n`, `-A` and `-l` select. Throws `usage`. */
export function installSelection(flags: SelectionValues, connection: Connection): InstallSelection {
  return {
    namespace: flags['all-namespaces'] ? undefined : (flags.namespace ?? connection.namespace),
    selector: parseLabelSelector(flags.selector ?? ''),
  }
}

/** Reports whether packages for a current Crossplane are shown, which are in no namespace. */
export function selectsPackages({namespace}: Pick<SelectionValues, 'namespace'>): boolean {
  return namespace === undefined
}

/** The query of `package status`, which a name, a request or a repository can select. Throws as `statusQuery` does. */
export async function clusterStatusQuery(
  args: {readonly name?: string},
  flags: SelectionValues & {readonly declaration?: string},
  connection: Connection,
  inputs: InputFiles,
): Promise<ClusterStatusQuery> {
  const isInstall = !isPackageWord(args.name)
  const {selector, lock, ...installs} = await statusQuery(isInstall ? args : {}, flags, connection, inputs)
  return {
    selector,
    selectsPackages: selectsPackages(flags),
    ...present({text: args.name, lock}),
    ...(isInstall ? {installs: {selector, ...installs, ...present({lock})}} : {}),
  }
}

/** The query for installs. Throws `usage`, and the errors of reading the lock. */
async function statusQuery(
  {name}: {readonly name?: string},
  flags: SelectionValues & {readonly declaration?: string},
  connection: Connection,
  inputs: InputFiles,
): Promise<StatusQuery> {
  const selection = installSelection(flags, connection)
  const {declaration} = flags
  const lock =
    declaration === undefined ? undefined : await readExistingLock(lockToRead({}, {declaration}), inputs)
  return {
    ...selection,
    ...(name === undefined ? {} : installId(name, selection.namespace ?? '')),
    ...(lock === undefined || declaration === undefined
      ? {}
      : {lock: {declaration, instances: await lockedInstances(lock.lock)}}),
  }
}

const WATCHABLE = ['text', 'wide', 'name']

/** Checks that the argument and the flags are compatible, which oclif cannot. Throws `usage`. */
export function checkStatusFlags(
  name: string | undefined,
  flags: SelectionValues & {readonly watch: boolean; readonly output: string},
): void {
  if (name !== undefined && (flags['all-namespaces'] || flags.selector !== undefined)) {
    throw new CrossplaneError('usage', 'NAME cannot be combined with --all-namespaces or --selector', {
      suggestions: ['Omit the name, or pass the install as NAMESPACE/NAME.'],
    })
  }
  if (flags.watch && !WATCHABLE.includes(flags.output)) {
    throw new CrossplaneError('usage', `--watch cannot be combined with --output ${flags.output}`, {
      suggestions: ['Use --output text or wide.'],
    })
  }
}
