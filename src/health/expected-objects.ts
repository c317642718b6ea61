import {present} from '../present.js'
import {expandRecord} from '../render/expand-record.js'
import {eraOf} from '../render/era.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'

/**
 * The objects that a package record expands to, as far as health checks them; without the rules of the roles of users.
 */
export interface ExpectedObjects {
  readonly account?: KubernetesObject
  /** The role of the controller. */
  readonly systemRole?: KubernetesObject
  /** The roles of users. */
  readonly personaRoles: readonly KubernetesObject[]
  readonly binding?: KubernetesObject
  readonly deployment?: KubernetesObject
}

/** The user who created a record in a cluster has allowed everything that it requests. */
const ALLOWANCES = {allowCorePermissions: true, allowFullDeployment: true}

/** Expands a package record as an install of it does. */
export function expectedObjects(record: KubernetesObject): ExpectedObjects {
  const era = eraOf(record.apiVersion)
  if (era === undefined) return {personaRoles: []}
  const all = expandRecord(era, record, [], ALLOWANCES)
  const find = (isSought: (object: KubernetesObject, fileName: string) => boolean) =>
    all.find(({object, fileName = ''}) => isSought(object, fileName))?.object
  const account = find(({kind}) => kind === 'ServiceAccount')
  const systemRole = find((_, fileName) => fileName === 'clusterrole-system')
  const binding = find(({kind}) => kind.endsWith('Binding'))
  const deployment = find(({kind}) => kind === 'Deployment')
  return {
    ...present({account, systemRole}),
    personaRoles: all
      .map(({object}) => object)
      .filter(object => object.kind === 'ClusterRole' && object !== systemRole),
    ...present({binding, deployment}),
  }
}

/** All expected objects, in the order of the links. */
export function listExpected(expected: ExpectedObjects): readonly KubernetesObject[] {
  const {account, systemRole, personaRoles, binding, deployment} = expected
  return [account, systemRole, ...personaRoles, binding, deployment].flatMap(object => object ?? [])
}
