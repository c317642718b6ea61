import {type SelectedFiles, selectedFiles, filesAbove} from '../../unpack/crd-metadata.js'
import type {MetadataFiles} from '../../unpack/metadata-files.js'
import type {Described} from '../../unpack/placed-files.js'
import type {PackageFile} from '../../unpack/package-file.js'
import type {DeclaredCrd} from './candidate.js'

/** The CRDs that a metadata file matches, and those for which it takes precedence. */
export interface MetadataUses {
  readonly meantFor: (file: PackageFile) => readonly DeclaredCrd[]
  readonly selectedFor: (file: PackageFile) => readonly DeclaredCrd[]
}

export function metadataUses(crds: readonly DeclaredCrd[], metadata: MetadataFiles): MetadataUses {
  const uses = new Map<PackageFile, DeclaredCrd[]>()
  const selected = new Map<PackageFile, DeclaredCrd[]>()
  for (const crd of crds) {
    const above = filesAbove(crd, metadata)
    const {groups, resources, icons, uiSchemas} = above
    const speaking: readonly Described<unknown>[] = [...groups, ...resources, ...icons, ...uiSchemas].flat()
    for (const {file} of speaking) add(uses, file, crd)
    for (const file of filesIn(selectedFiles(crd, above))) add(selected, file, crd)
  }
  return {meantFor: file => uses.get(file) ?? [], selectedFor: file => selected.get(file) ?? []}
}

function filesIn({group, resource, icon, uiSchemas}: SelectedFiles): PackageFile[] {
  return [group, resource, icon, ...uiSchemas].flatMap(metadata =>
    metadata === undefined ? [] : [metadata.file],
  )
}

function add(uses: Map<PackageFile, DeclaredCrd[]>, file: PackageFile, crd: DeclaredCrd): void {
  const crds = uses.get(file)
  if (crds === undefined) uses.set(file, [crd])
  else crds.push(crd)
}
