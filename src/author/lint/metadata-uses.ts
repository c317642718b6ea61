import {type ChosenFiles, chosenFiles, filesAbove} from '../../unpack/crd-metadata.js'
import type {MetadataFiles} from '../../unpack/metadata-files.js'
import type {Described} from '../../unpack/placed-files.js'
import type {RegistryFile} from '../../unpack/registry-file.js'
import type {DeclaredCrd} from './candidate.js'

/** Which CRDs a metadata file speaks of, and for which of them it is the one that counts. */
export interface MetadataUses {
  readonly meantFor: (file: RegistryFile) => readonly DeclaredCrd[]
  readonly chosenFor: (file: RegistryFile) => readonly DeclaredCrd[]
}

export function metadataUses(crds: readonly DeclaredCrd[], metadata: MetadataFiles): MetadataUses {
  const meant = new Map<RegistryFile, DeclaredCrd[]>()
  const chosen = new Map<RegistryFile, DeclaredCrd[]>()
  for (const crd of crds) {
    const above = filesAbove(crd, metadata)
    const {groups, resources, icons, uiSchemas} = above
    const speaking: readonly Described<unknown>[] = [...groups, ...resources, ...icons, ...uiSchemas].flat()
    for (const {file} of speaking) add(meant, file, crd)
    for (const file of filesIn(chosenFiles(crd, above))) add(chosen, file, crd)
  }
  return {meantFor: file => meant.get(file) ?? [], chosenFor: file => chosen.get(file) ?? []}
}

function filesIn({group, resource, icon, uiSchemas}: ChosenFiles): RegistryFile[] {
  return [group, resource, icon, ...uiSchemas].flatMap(each => (each === undefined ? [] : [each.file]))
}

function add(uses: Map<RegistryFile, DeclaredCrd[]>, file: RegistryFile, crd: DeclaredCrd): void {
  const known = uses.get(file)
  if (known === undefined) uses.set(file, [crd])
  else known.push(crd)
}
