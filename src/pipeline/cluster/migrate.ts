import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {surveyChanges} from '../../observe/instances/survey-instances.js'
import {readObjects} from '../../observe/objects/read-live.js'
import {formerVersions, planMigration} from '../../plan/cluster/plan-migration.js'
import {UNKNOWN_CLUSTER} from '../../plan/cluster/access/read-access.js'
import {ERAS} from '../../render/era.js'
import {MANAGED_BY_LABEL} from '../../render/labels.js'
import {listSome} from '../../text.js'
import type {ClusterChange} from './cluster-change.js'

/**
 * Plans to migrate the custom resources of CRDs to the storage version of their CRD; of all CRDs of packages if none is
 * named. Throws `not-found` for a CRD that does not exist, and the errors of the API.
 */
export async function prepareMigration(names: readonly string[], api: ClusterApi): Promise<ClusterChange> {
  const decide = async () => {
    const crds = names.length === 0 ? await packageCrds(api) : await namedCrds(names, api)
    const surveys = await surveyChanges(
      crds.flatMap(crd => formerVersions(crd) ?? []),
      api,
    )
    const live = new Map(crds.map(crd => [objectKey(nameOf(crd)), crd]))
    return {
      plan: planMigration(crds, surveys),
      snapshot: {...UNKNOWN_CLUSTER, live, surveys},
      firstOwners: [],
      installs: [],
    }
  }
  return {decision: await decide(), decide}
}

async function packageCrds(api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const managers = Object.values(ERAS).map(({managedBy}) => managedBy)
  const options = {labelSelector: `${MANAGED_BY_LABEL} in (${managers.join(',')})`}
  const crds: KubernetesObject[] = []
  for await (const crd of api.list(CRD_KIND, options)) crds.push(crd)
  return crds
}

async function namedCrds(names: readonly string[], api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const read = [
    ...(
      await readObjects(
        names.map(name => ({...CRD_KIND, name})),
        api,
      )
    ).values(),
  ]
  const missing = names.filter(name => !read.some(({metadata}) => metadata.name === name))
  if (missing.length === 0) return read
  throw new CrossplaneError('not-found', `cannot migrate ${listSome(missing)}: no CRD of this name exists`, {
    suggestions: ['kubectl get customresourcedefinitions'],
  })
}
