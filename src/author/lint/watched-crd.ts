import {groupOf, versionOf} from '../../kubernetes/object-key.js'
import type {Candidate, DeclaredCrd} from './candidate.js'

/** The CRD of the kind that a behavior names, and the version in which its resources are rendered. */
export interface WatchedCrd {
  readonly crd: DeclaredCrd
  readonly version: string
}

/** Finds the CRD of a behavior; undefined if the package has none. Named templates can have other kinds of the package. */
export function watchedCrd({behavior, crds}: Pick<Candidate, 'behavior' | 'crds'>): WatchedCrd | undefined {
  if (behavior === undefined) return undefined
  const {apiVersion, kind} = behavior.value.crd
  const group = groupOf(apiVersion)
  const crd = crds.find(({definition}) => definition.group === group && definition.kind === kind)
  return crd && {crd, version: versionOf(apiVersion)}
}
