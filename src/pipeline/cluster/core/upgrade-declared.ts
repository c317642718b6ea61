import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {InstallOptions} from '../../../plan/cluster/plan-install.js'
import {notDeclared} from '../../../plan/declaration/declared-names.js'
import {present} from '../../../present.js'
import type {GivenXpkgSettings} from '../../../package/rendered-sets.js'
import {fullName} from '../../../package/upgraded-parts.js'
import {joinedChanges, type PackagesChange} from '../joined-changes.js'
import {existingCore} from './change-packages.js'
import {changeRequested} from './install-packages.js'
import type {RequestedPackages} from './requested-packages.js'

/** An upgrade of the packages of a declaration. */
interface DeclaredUpgrade {
  /** The identities of packages. */
  readonly named: readonly string[] | 'all'
  /** The declaration. */
  readonly file: string
  /** Whether a lock file decides about versions. */
  readonly isLocked: boolean
  readonly options: InstallOptions
  readonly choices: GivenXpkgSettings
}

/**
 * Plans the upgrade of the packages for a current Crossplane of a declaration, and of the others as a function does. Without a
 * lock, packages that are not named stay as they are installed. Throws `not-found` for a name that is neither declared nor
 * installed.
 */
export async function upgradeDeclared(
  requested: RequestedPackages,
  {named, file, isLocked, ...change}: DeclaredUpgrade,
  changeStacks: (named: DeclaredUpgrade['named']) => Promise<PackagesChange>,
  api: ClusterApi,
): Promise<PackagesChange> {
  const {requests} = await existingCore(api)
  const {roots, defaultSource, teams, hasStacks = false} = requested
  const own = new Set([...roots.map(({root}) => root), ...requests].map(({repository}) => repository))
  const isOwn = (text: string) => own.has(fullName(text, defaultSource))
  const others = named === 'all' ? named : named.filter(text => !isOwn(text))
  const [unknown] = isLocked || hasStacks || others === 'all' ? [] : others
  if (unknown !== undefined) throw notDeclared(unknown, file, own)
  const upgraded = named === 'all' ? named : named.filter(isOwn).map(text => fullName(text, defaultSource))
  const packages = await changeRequested(requested, {...change, ...present({upgraded})}, api)
  return hasStacks ? joinedChanges([await changeStacks(others), packages], teams) : packages
}
