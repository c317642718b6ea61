import {installedState} from '../../observe/installs/installed-state.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import type {NotedSet} from '../../package/rendered-sets.js'
import {notDeclared} from '../../plan/declaration/declared-names.js'
import type {FirstOwner} from '../../resolve/first-owners.js'
import type {InstalledState} from '../../resolve/requested/installed-package.js'
import {type InstallPorts, prepareSet, stackRenderer} from './install.js'
import type {DeclaredPart, DeclaredUpgrade} from './installed-format.js'

/**
 * Prepares the upgrade of the packages of Crossplane v0.12 of a declaration. Its change throws `not-found` for a name that no
 * format has.
 */
export async function upgradeDeclaredStacks(
  query: DeclaredUpgrade,
  ports: InstallPorts,
): Promise<DeclaredPart> {
  const {options, places, declared: own, request} = query
  const renders = await stackRenderer(request)
  return {
    own,
    others: [],
    change: async () =>
      await prepareSet({options, places}, ports, observed => setFor(query, observed, {...ports, renders})),
  }
}

type Renderer = Awaited<ReturnType<typeof stackRenderer>>

async function setFor(
  {query, named, lock, file, declared, choices, options}: DeclaredUpgrade,
  observed: ObservedPackages,
  {api, requests, renders}: InstallPorts & {readonly renders: Renderer},
): Promise<NotedSet> {
  const state = installedState(observed, options)
  const forCluster = {...choices, server: () => api.version()}
  const setOf = (upgraded: ReadonlySet<string>) => renders(query, forCluster, requests, {...state, upgraded})
  if (lock === undefined) return await setOf(await unlocked(named, declared, file, setOf))
  const all = lock.lock.packages.map(({identity}) => identity)
  const set = await setOf(new Set(named === 'all' ? all : named))
  // The set was rendered under the new lock, which has the new signers already.
  const {signerChanges} = lock
  return {
    ...set,
    firstOwners: [...(set.firstOwners ?? []), ...newOwners(lock.firstOwners, state)],
    signerChanges,
  }
}

/**
 * Returns the identities to upgrade if no lock file names them: those that the declaration resolves to in the current
 * cluster.
 */
async function unlocked(
  named: DeclaredUpgrade['named'],
  declared: ReadonlySet<string>,
  file: string,
  setOf: (upgraded: ReadonlySet<string>) => Promise<NotedSet>,
): Promise<ReadonlySet<string>> {
  if (named !== 'all' && named.every(text => declared.has(text))) return new Set(named)
  const {installs} = await setOf(new Set())
  const identities = new Set(installs.flatMap(install => install.package?.identity ?? []))
  if (named === 'all') return identities
  const unknown = named.find(text => !declared.has(text) && !identities.has(text))
  if (unknown !== undefined)
    throw notDeclared({identity: unknown}, file, new Set([...declared, ...identities]))
  return new Set(named)
}

/**
 * Owners that only the new lock has: this plan writes that lock, so it does not confirm them. Owners in the cluster are
 * known.
 */
function newOwners(owners: readonly FirstOwner[], {packages}: InstalledState): readonly FirstOwner[] {
  const crdKeys = new Set(
    packages.flatMap(({identity, crds}) => crds.map(crd => `${identity} ${crd.slice(crd.indexOf('.') + 1)}`)),
  )
  return owners.flatMap(owner => {
    const {identity, groups} = owner
    const left = groups.filter(group => !crdKeys.has(`${identity} ${group}`))
    return left.length === 0 ? [] : [{...owner, groups: left}]
  })
}
