import type {Runtime} from '../declaration/runtime/runtime.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {RunnerChoice} from './behavior-deployment.js'
import type {Era} from './era.js'
import {type Allowances, expandRecord, recordId} from './expand-record.js'
import {installedCrd, withClaims} from './crds.js'
import type {SetObject} from './install-set.js'
import {claimLabels} from './labels.js'
import {type Install, packageRecords, recordOfDefinition} from './package-record.js'
import type {CrdObject} from '../unpack/crds.js'
import type {CrdDefinition} from '../unpack/package.js'
import {requestObject} from './request.js'

/** The settings of a set, besides the installs. */
export interface RenderOptions extends Allowances, RunnerChoice {
  readonly includeRequest: boolean
}

/** Renders all objects of one install of a package. */
export function renderInstall(era: Era, install: Install, options: RenderOptions): SetObject[] {
  const {request, package: owner} = install
  const id = {namespace: request.namespace, name: request.name}
  const claims = claimLabels(era, id)
  const crds = owner.crds.map(crd => withClaims(installedCrd(era, owner, crd), claims))
  const records = packageRecords(era, install, options)
  const requested = options.includeRequest ? [requestObject(era, request)] : []
  const definitions = owner.crds.map(crd => crd.definition)
  return [
    ...crds.map(object => ({phase: 'crds', shared: 'crd', claims: [id], ownedBy: [id], object}) as const),
    ...[...requested, ...records].map(object => ({phase: 'records', install: id, object}) as const),
    ...expandLast(era, records, definitions, options, request.runtime),
  ]
}

/** A user-written record, with the CRDs it names. */
export interface WrittenRecord {
  readonly era: Era
  readonly record: KubernetesObject
  readonly crds: readonly CrdObject[]
}

/** Renders all objects of a user-written record, like those of a generated one. */
export function renderRecord({era, record, crds}: WrittenRecord, options: RenderOptions): SetObject[] {
  const id = recordId(record)
  const claims = claimLabels(era, id)
  const records = record.kind === era.kinds.definition ? [record, recordOfDefinition(era, record)] : [record]
  const definitions = crds.map(crd => crd.definition)
  return [
    ...crds.map(({object}) => {
      const shared = {phase: 'crds', shared: 'crd', claims: [id], ownedBy: [id]} as const
      return {...shared, object: withClaims(object, claims)}
    }),
    ...records.map(object => ({phase: 'records', install: id, object}) as const),
    ...expandLast(era, records, definitions, options),
  ]
}

/** A definition expands through the package record that follows it. */
function expandLast(
  era: Era,
  records: readonly KubernetesObject[],
  crds: readonly CrdDefinition[],
  options: RenderOptions,
  runtime?: Runtime,
): SetObject[] {
  const record = records.at(-1)
  return record === undefined ? [] : expandRecord(era, record, crds, options, runtime)
}
