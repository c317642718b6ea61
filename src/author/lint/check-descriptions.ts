import type {Diagnostic} from '../../diagnostic.js'
import {firstWord} from '../../unpack/metadata-files.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {baseName, directoryOf, type PackageFile} from '../../unpack/package-file.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'
import {listSome} from '../../text.js'
import {type MetadataUses, metadataUses} from './metadata-uses.js'
import {isApiGroup} from './name-parts.js'

/** Compares group.yaml and resource.yaml with the CRDs that they apply to. */
export function checkDescriptions(candidate: Candidate): Diagnostic[] {
  const {crds, examination} = candidate
  const {groups, resources} = examination.metadata
  const uses = metadataUses(crds, examination.metadata)
  return [
    ...groups.all.flatMap(({file}) => checkGroup(file, candidate, uses)),
    ...resources.all.flatMap(({file}) => checkResource(file, candidate, uses)),
  ]
}

function checkGroup(file: PackageFile, {documentsOf}: Candidate, uses: MetadataUses): Diagnostic[] {
  const [document] = documentsOf(file)
  const groups = [...new Set(uses.selectedFor(file).map(({definition}) => definition.group))]
  if (document === undefined || groups.length === 0) return []
  const groupText = asText(asObject(document.yaml.value).group)
  const folder = directoryOf(file).at(-1) ?? ''
  const named = groupText === '' && isApiGroup(folder) ? folder : groupText
  const others = groups.filter(group => group !== named)
  if (named !== '' && others.length > 0) {
    const what = groupText === '' ? `is in the folder ${folder}` : `is for ${groupText}`
    const message = `group.yaml ${what}, but applies to CRDs of ${listSome(others)}`
    return [diagnosticAt(document, 'group-mismatch', ['group'], message)]
  }
  if (groups.length === 1) return []
  const message = `group.yaml applies to CRDs of several groups: ${listSome(groups)}`
  return [diagnosticAt(document, 'group-mixed', [], message)]
}

function checkResource(file: PackageFile, {documentsOf}: Candidate, uses: MetadataUses): Diagnostic[] {
  const [document] = documentsOf(file)
  const id = asText(asObject(document?.yaml.value).id)
  if (document === undefined || id === '') return []
  const diagnostics = (rule: string, message: string) => [diagnosticAt(document, rule, ['id'], message)]
  const name = baseName(file)
  const word = name === 'resource.yaml' ? '' : firstWord(name).toLowerCase()
  if (word !== '' && name.slice(word.length).endsWith('.resource.yaml') && word !== id.toLowerCase()) {
    return diagnostics('resource-name', `${name} is named after ${word}, but its id is ${id}`)
  }
  const kinds = [...new Set(uses.meantFor(file).map(({definition}) => definition.kind))]
  if (kinds.length === 0 || kinds.some(kind => id === kind || id === kind.toLowerCase())) return []
  return diagnostics('resource-id-case', `the id ${id} must be ${listSome(kinds)} or lowercase`)
}
