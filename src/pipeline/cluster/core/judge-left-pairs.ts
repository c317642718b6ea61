import type {Diagnostic} from '../../../diagnostic.js'
import {ownedCrds} from '../../../observe/core/owned-crds.js'
import {readOwned} from '../../../observe/core/read-owned.js'
import {
  type LeftPair,
  otherPackageRejections,
  unreadRejection,
  unreadyRejections,
} from '../../../plan/cluster/core/left-pairs.js'
import {moveRisks} from '../../../plan/cluster/core/move-contents.js'
import type {HandOver} from '../../../plan/cluster/core/move-operations.js'
import {ownerRejections} from '../../../plan/cluster/core/move-rejections.js'
import type {CoreState} from '../../../plan/cluster/state/core-state.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import type {InstallPorts} from '../install.js'
import {lockedRequest} from './cluster-lock.js'
import {crdsOf, readableChange} from './crd-instances.js'
import {judgedCrds, moveEffects} from './moved-crds.js'
import {unwaitedRejections} from './sync-rejections.js'

/** Packages that are handed over, and why they cannot be. */
interface JudgedPairs {
  readonly packages: readonly HandOver[]
  readonly rejections: readonly Diagnostic[]
}

/** Judges the packages of a move that both commits left in a cluster, as the move judged those of the cluster that it waited for: nothing goes back any more. */
export async function judgedLeftPairs(
  packages: readonly HandOver[],
  core: CoreState,
  {api, requests}: InstallPorts,
): Promise<JudgedPairs> {
  const pairs = packages.flatMap(({from, to}): readonly LeftPair[] =>
    from.live === undefined || to.live === undefined ? [] : [{from: from.live, to: to.live}],
  )
  const former = pairs.map(({from}) => from)
  const rejections: Diagnostic[] = [...unreadyRejections(pairs), ...(await unwaitedRejections(former, api))]
  const ports = await requests.packages()
  const catalog = locatedXpkgs(ports)
  const [crds, owned] = [await ownedCrds(former, core, api), await readOwned(api)]
  const risks = new Map<string, HandOver['risks']>()
  for (const {from, to} of pairs) {
    const content = await readableChange(from, lockedRequest(to), catalog, ports)
    if ('reason' in content) {
      rejections.push(unreadRejection(to, content.reason))
      continue
    }
    const {objects} = content
    const {name, kind, repository} = to
    const change = {...content, crds: crdsOf(from, crds)}
    const names = objects.map(one => `${one.kind}/${one.name}`)
    const moved = {from, to: {name, repository, kind, objects: names, requires: []}}
    const judged = await judgedCrds([change], {api, requests})
    rejections.push(
      ...otherPackageRejections({from, to}, change.crds, objects),
      ...judged.rejections,
      ...ownerRejections(moved, {core, owned}, [to]),
    )
    const effects = await moveEffects(from, crds, new Set(objects.map(one => one.name)), api)
    const own = moveRisks(from, {name, repository, revision: to.revision ?? ''}, effects)
    risks.set(from.name, {...own, stops: [...(judged.risks.get(from) ?? []), ...own.stops]})
  }
  return {
    packages: packages.map(one => ({...one, risks: risks.get(one.from.name) ?? one.risks})),
    rejections,
  }
}
