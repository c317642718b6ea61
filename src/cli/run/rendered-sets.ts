import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {RenderedSets} from '../../pipeline/render/rendered-sets.js'
import type {WrittenSet} from '../../pipeline/render/write-output.js'
import {showNotes, showWarnings} from '../output/show.js'

/** Prints the warnings and notes of sets on standard error. */
export function showSetDiagnostics({stacks, xpkgs}: RenderedSets, argv: readonly string[]): void {
  showWarnings({warnings: [...(stacks?.warnings ?? []), ...(xpkgs?.warnings ?? [])]}, argv)
  showNotes([...(stacks?.notes ?? []), ...(xpkgs?.notes ?? [])], argv)
}

/** Returns the objects of sets to print. */
export function objectsIn({stacks, xpkgs}: RenderedSets): {
  readonly objects: readonly {readonly object: KubernetesObject}[]
} {
  return {objects: [...(stacks?.objects ?? []), ...(xpkgs?.objects ?? [])]}
}

/** Returns the set for a folder. Throws `unsupported` for packages of both formats, which have different layouts. */
export function oneSet({stacks, xpkgs}: RenderedSets): WrittenSet {
  const [set, other] = [stacks, xpkgs].filter(one => one !== undefined)
  if (set !== undefined && other === undefined) return set
  const message =
    'packages with .registry/ and packages for a current Crossplane (xpkg) cannot be written to one folder'
  throw new CrossplaneError('unsupported', message, {
    suggestions: ['Use a declaration and a folder for each format.'],
  })
}
