import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {present} from '../../present.js'
import {runningManager} from '../installs/running-managers.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {LockedInstance} from '../../declaration/lock.js'
import {observedObject, type ObservedObject} from '../../health/observed-object.js'
import type {EraName} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'

/** Objects that several installs have in common, read at most once. */
export interface SharedReads {
  readonly api: ClusterApi
  /** All CRDs of the cluster. */
  readonly crds: () => Promise<readonly ObservedObject[]>
  /** The original package manager of an era, as NAMESPACE/NAME, if it runs. */
  readonly manager: (era: EraName) => Promise<string | undefined>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly lock?: readonly LockedInstance[]
}

/** Shares reads between the installs in one observation of a cluster. */
export function sharedReads(api: ClusterApi, {now, lock}: Pick<SharedReads, 'now' | 'lock'>): SharedReads {
  let crds: Promise<readonly ObservedObject[]> | undefined
  const managers = new Map<EraName, Promise<string | undefined>>()
  return {
    api,
    now,
    ...present({lock}),
    crds: () => (crds ??= listCrds(api)),
    manager: era => {
      const manager = managers.get(era) ?? runningManager(ERAS[era], api)
      managers.set(era, manager)
      return manager
    },
  }
}

async function listCrds(api: ClusterApi): Promise<readonly ObservedObject[]> {
  const crds: ObservedObject[] = []
  // Schemas are large: each is dropped when it is read.
  for await (const crd of api.list(CRD_KIND)) crds.push(observedObject(crd))
  return crds
}
