import {isLocalPath} from '../../reference/package-reference.js'
import {flagAndField, type ReadDeclaration} from './given-settings.js'
import type {InputFiles} from './input-files.js'
import type {Assumptions} from './assumed-facts.js'
import type {ResolutionSettings} from './request-query.js'

type AssumptionSettings = Pick<ResolutionSettings, 'assume' | 'crossplane'>

/**
 * Reads the assumed CRDs and the Crossplane release of a command line or a declaration. Throws `usage` if both have one
 * of them, and `not-found`.
 */
export async function readAssumptions(
  settings: AssumptionSettings,
  inputs: InputFiles,
  declaration?: ReadDeclaration,
): Promise<Assumptions> {
  const {assume, crossplane} = settings
  if (declaration !== undefined) rejectBoth(settings, declaration)
  const {path = '', content} = declaration ?? {}
  const isGiven = assume.crds.length + assume.files.length > 0
  const declared = isGiven ? [] : (content?.assume ?? [])
  const declaredFiles = declared.filter(isLocalPath)
  return {
    crds: [...assume.crds, ...declared.filter(text => !declaredFiles.includes(text))],
    files: await Promise.all([
      ...assume.files.map(file => inputs.read(file, '--assume')),
      ...declaredFiles.map(file => inputs.read(inputs.beside(path, file), 'assume')),
    ]),
    crossplane: content?.crossplaneVersion ?? crossplane.release,
  }
}

function rejectBoth({assume, crossplane}: AssumptionSettings, declaration: ReadDeclaration): void {
  const {content} = declaration
  const {crossplaneVersion = crossplane.release} = content
  if (crossplane.isGiven && crossplaneVersion !== crossplane.release) {
    throw flagAndField('--crossplane-version', 'crossplaneVersion', declaration)
  }
  const byFlags = [...assume.crds, ...assume.files]
  if (content.assume.length > 0 && byFlags.length > 0 && !isSameList(byFlags, content.assume)) {
    throw flagAndField('--assume', 'assume', declaration)
  }
}

/** Files have the same path only beside the declaration; elsewhere they count as different ones. */
function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join('\n') === [...other].sort().join('\n')
}
