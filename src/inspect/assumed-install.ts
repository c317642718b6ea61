import {type EraName, ERA_NAMES} from '../reference/era-name.js'
import {type Era, ERAS} from '../render/era.js'
import type {Install} from '../render/package-record.js'

/** The parameters of an install that can be missing: the reference of the package, the namespace, its version. */
export const ASSUMPTIONS = ['image', 'namespace', 'version'] as const
export type Assumption = (typeof ASSUMPTIONS)[number]

/** The install that is inspected: the placement of its objects. */
export interface AssumedInstall {
  readonly api: EraName
  readonly apiVersion: string
  readonly namespace: string
  readonly name: string
  /**
   * The values that were not given, sorted: such a namespace is a placeholder, such an image and version are omitted.
   */
  readonly assumed: readonly Assumption[]
}

export function assumedInstall(
  era: Era,
  {request: {namespace, name}}: Install,
  assumed: readonly Assumption[],
): AssumedInstall {
  const api = ERA_NAMES.find(text => ERAS[text] === era) ?? ERA_NAMES[0]
  return {api, apiVersion: era.apiVersion, namespace, name, assumed}
}
