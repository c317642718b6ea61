import {fullName} from '../../../package/upgraded-parts.js'
import {notDeclared} from '../../../plan/declaration/declared-names.js'
import {present} from '../../../present.js'
import type {InstallPorts} from '../install.js'
import type {DeclaredPart, DeclaredUpgrade} from '../installed-format.js'
import {existingCore} from './change-packages.js'
import {changeRequested} from './install-packages.js'
import {requestedPackages} from './requested-packages.js'

/**
 * Prepares the upgrade of the packages for a current Crossplane of a declaration. Without a lock, packages that are not named stay
 * as they are installed, and its change throws `not-found` for a named one that is installed, but that the declaration does not lead to.
 */
export async function upgradeDeclaredXpkgs(
  {request, named, options, xpkgs: choices, lock, file, declared}: DeclaredUpgrade,
  {api, requests: {usage}}: InstallPorts,
): Promise<DeclaredPart> {
  const requested = requestedPackages(request)
  const {requests} = await existingCore(api)
  const {roots, defaultSource} = requested
  const own = new Set([...roots.map(({root}) => root), ...requests].map(({repository}) => repository))
  const isOwn = (text: string) => own.has(fullName(text, defaultSource))
  const upgraded = named === 'all' ? named : named.filter(isOwn).map(text => fullName(text, defaultSource))
  return {
    own,
    others: named === 'all' ? named : named.filter(text => !isOwn(text)),
    change: async () => {
      const change = await changeRequested(
        requested,
        {options, choices, loadJudge: usage.judge, ...present({upgraded})},
        api,
      )
      const selected = new Set(change.identities)
      const other = upgraded === 'all' ? undefined : upgraded.find(identity => !selected.has(identity))
      // In a lock, the names were found.
      if (other !== undefined && lock === undefined)
        throw notDeclared({identity: other}, file, new Set([...declared, ...selected]))
      return change
    },
  }
}
