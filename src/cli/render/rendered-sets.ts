import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
import {showNotes, showWarnings} from '../shell/document/show.js'

/** Prints the warnings and notes of sets on standard error. */
export function showSetDiagnostics({stacks, xpkgs}: RenderedSets, argv: readonly string[]): void {
  showWarnings({warnings: [...(stacks?.warnings ?? []), ...(xpkgs?.warnings ?? [])]}, argv)
  showNotes([...(stacks?.notes ?? []), ...(xpkgs?.notes ?? [])], argv)
}

/** Returns the objects of sets to print. */
export function objectsIn({stacks, xpkgs}: RenderedSets): {
  readonly objects: readonly {readonly object: KubernetesObject}[]
} {
  const expanded = (xpkgs?.expanded ?? []).map(object => ({object}))
  return {objects: [...(stacks?.objects ?? []), ...(xpkgs?.objects ?? []), ...expanded]}
}
