import type {Diagnostic} from '../../../diagnostic.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {ownedCrds} from '../../../observe/core/owned-crds.js'
import {formerContent} from '../../../package/xpkg/former-content.js'
import {packageFiles} from '../../../package/xpkg/package-files.js'
import type {ChangedRequirer} from '../../../plan/cluster/core/changed-requirers.js'
import {judgeCrds} from '../../../plan/cluster/core/crd-gate.js'
import type {HandOver} from '../../../plan/cluster/core/move-operations.js'
import {withMoveAdvice} from '../../../plan/cluster/core/moved-package.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import {escaped} from '../../../text.js'
import type {InstallPorts} from '../install.js'
import {observeCrdInstances, type ReadableChange} from './crd-instances.js'

/** Packages that are handed over, and why what changes with them cannot. */
interface JudgedHandOvers {
  readonly packages: readonly HandOver[]
  readonly rejections: readonly Diagnostic[]
}

/**
 * Compares the custom resources of what changes its version with a move with the CRDs of that version, as an upgrade does. A version that can no longer be read
 * is a risk: a move must be able to go back from a registry that is gone.
 */
export async function judgedRequirers(
  packages: readonly HandOver[],
  core: CoreState,
  {api, requests}: InstallPorts,
  ports?: PackagePorts,
): Promise<JudgedHandOvers> {
  const changing = packages
    .flatMap(({requirers = []}) => requirers)
    .filter(({live, to}) => live.reference !== to.reference)
  if (changing.length === 0) return {packages, rejections: []}
  const {changes, risks} = await readChanges(changing, ports ?? (await requests.packages()))
  const crds = await ownedCrds(
    changes.map(({request}) => request),
    core,
    api,
  )
  const own = changes.map(change => ({
    ...change,
    crds: crds.filter(({request}) => request === change.request).map(({crd}) => crd),
  }))
  const instances = await observeCrdInstances(own, api, requests.usage.judge)
  const verdict = judgeCrds(own, instances, {keepsInstances: false, acceptsImpact: false})
  const risksOf = ({live}: ChangedRequirer) => [
    ...(risks.get(live) ?? []),
    ...(verdict.risks.get(live) ?? []),
  ]
  return {
    packages: packages.map(({requirers = [], ...one}) => ({
      ...one,
      requirers: requirers.map(requirer => ({...requirer, risks: risksOf(requirer)})),
    })),
    rejections: withMoveAdvice(verdict.rejections),
  }
}

/** Reads what requests get, without the CRDs that they have. */
async function readChanges(changing: readonly ChangedRequirer[], ports: PackagePorts) {
  const catalog = locatedXpkgs(ports)
  const changes: Omit<ReadableChange, 'crds'>[] = []
  const risks = new Map<CoreRequest, readonly Diagnostic[]>()
  for (const {live, to} of changing) {
    const {repository, tag = ''} = coreReference(to.reference)
    const content = await formerContent({repository, tag}, catalog)
    if ('reason' in content) {
      risks.set(live, [unread(to.reference, content.reason)])
      continue
    }
    const {digest, objects = []} = content
    const selected = {repository, version: tag, ...(digest === undefined ? {} : {digest})}
    changes.push({request: live, objects, files: async () => await packageFiles(selected, [], ports)})
  }
  return {changes, risks}
}

function unread(reference: string, reason: string): Diagnostic {
  const message = `whether custom resources fit ${escaped(reference)} is not known: it cannot be read: ${escaped(reason)}`
  return {severity: 'warning', rule: 'xpkg-use-unknown', message}
}
