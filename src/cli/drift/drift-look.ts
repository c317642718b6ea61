import {existsSync} from 'node:fs'
import {dirname, join, relative, resolve, sep} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {findDrift, type DriftReport} from '../../pipeline/drift/find-drift.js'
import type {DriftPorts} from '../../pipeline/drift/drift-query.js'
import type {LockPlace} from '../../pipeline/drift/lock-history.js'
import {repositoryRoot} from '../files/repository-root.js'
import {treeIn} from '../../plan/folder/home.js'
import {withoutCredentials} from '../../without-credentials.js'
import type {driftFlags} from './drift-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {SelectedSides} from './drift-query.js'
import {requestPorts} from '../packages/package-ports.js'
import type {Progress} from '../shell/progress/step-event.js'
import {openRepository} from '../wire.js'

type DriftFlags = FlagValues<typeof driftFlags> & {readonly quiet: boolean}

/** Reads the sides once and compares them. Throws the errors of reading them. */
export async function driftLook(
  {query, hasCluster}: SelectedSides,
  flags: DriftFlags,
  version: string,
  shown: Progress,
): Promise<DriftReport> {
  const api = hasCluster ? await clusterApi(flags, version, shown) : undefined
  // As when it was rendered for a repository: the variable of the flag has no effect.
  const requests = requestPorts({...flags, 'default-source': undefined}, shown)
  const {lock} = query
  const ports: DriftPorts = {
    requests,
    ...(api === undefined ? {} : {api}),
    ...(lock === undefined ? {} : {lockPlace: () => lockPlace(lock.lock.file, lock.declaration)}),
  }
  const {git, branch} = flags
  if (git === undefined || query.tree === undefined) {
    return await findDrift(query, ports).finally(shown.end)
  }
  shown.report({kind: 'step', name: `Opening ${withoutCredentials(git)}`})
  const place = {git, branch, push: false, tree: treeIn(query.tree), isRead: true}
  const repository = await openRepository(place).catch(throwUnread).finally(shown.end)
  try {
    return await findDrift(query, {...ports, repository})
  } finally {
    shown.end()
    await repository.close()
  }
}

async function clusterApi(flags: DriftFlags, version: string, shown: Progress): Promise<DriftPorts['api']> {
  const {openCluster} = await import('../cluster/cluster-ports.js')
  return (await openCluster(flags, version, shown)).api
}

/** Nothing is to be changed, so that a repository is not refused: it cannot be read. */
function throwUnread(error: unknown): never {
  if (!(error instanceof CrossplaneError) || error.code !== 'git-refused') throw error
  throw new CrossplaneError('git-failed', error.message, {
    ...present({cause: error.cause}),
    suggestions: error.suggestions,
  })
}

/** Finds a lock and its declaration in their repository; undefined if they are in none. */
async function lockPlace(lock: string, declaration: string): Promise<LockPlace | undefined> {
  const root = repositoryRoot(resolve(dirname(lock)))
  if (!existsSync(join(root, '.git'))) return undefined
  const {checkout} = await openRepository({git: root, push: false, tree: ''})
  const paths = [lock, declaration].map(path => relative(root, resolve(path)).split(sep).join('/'))
  return {checkout, paths: paths.filter(path => !path.startsWith('../'))}
}
