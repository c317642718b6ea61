import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {CrossplaneError} from '../../errors.js'
import {installedCrd} from '../../render/crds.js'
import type {Era} from '../../render/era.js'

import type {CrdObject} from '../../unpack/crds.js'
import type {CrdDefinition} from '../../unpack/package.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {AvailablePackages} from '../../locate/available-packages.js'

/**
 * Finds the CRDs that a record names, in its order: in the same input, else in the available packages, which are only
 * read if one is missing. Throws `input-invalid` for one that is not found or that packages define differently:
 * plurals are not guessed.
 */
export async function crdsOfRecord(
  era: Era,
  record: KubernetesObject,
  inputCrds: readonly CrdObject[],
  readAvailable: () => Promise<AvailablePackages>,
): Promise<CrdObject[]> {
  const crds: CrdObject[] = []
  for (const {apiVersion, kind} of asObjects(asObject(record.spec).customresourcedefinitions)) {
    const named = inputCrds.find(({definition}) => defines(definition, apiVersion, kind))
    const requested = {apiVersion: asText(apiVersion), kind: asText(kind)}
    crds.push(named ?? fromOwners(era, record, requested, await readAvailable()))
  }
  return crds
}

function defines(
  {group, versions, kind}: CrdDefinition,
  apiVersion: unknown,
  requestedKind: unknown,
): boolean {
  return kind === requestedKind && versions.some(version => `${group}/${version}` === apiVersion)
}

interface RequestedCrd {
  readonly apiVersion: string
  readonly kind: string
}

function fromOwners(
  era: Era,
  record: KubernetesObject,
  {apiVersion, kind}: RequestedCrd,
  {owners, unreadable}: AvailablePackages,
): CrdObject {
  const candidates = owners.flatMap(owner =>
    owner.package.crds
      .filter(({definition}) => defines(definition, apiVersion, kind))
      .map(crd => ({owner, object: installedCrd(era, owner.package, crd), definition: crd.definition})),
  )
  const [first] = candidates
  const requested = `${record.kind} ${record.metadata.name} names the CRD of ${kind} (${apiVersion})`
  if (first === undefined) {
    throw new CrossplaneError(
      'input-invalid',
      `${requested}, which is neither in the input nor in an available package`,
      {
        diagnostics: unreadable.map(({name, reason}) => ({
          severity: 'warning',
          rule: 'package-unreadable',
          message: `${name}: ${reason}`,
        })),
        suggestions: ['Add the CRD to the input, or pass --packages DIR with the package that owns it.'],
      },
    )
  }
  if (candidates.every(({object}) => writeJson(object) === writeJson(first.object))) return first
  const names = candidates.map(({owner}) => owner.name).join(', ')
  throw new CrossplaneError(
    'input-invalid',
    `${requested}, and several packages define it differently: ${names}`,
    {
      suggestions: ['Add the intended CRD to the input.'],
    },
  )
}
