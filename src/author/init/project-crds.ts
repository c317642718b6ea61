import {CrossplaneError} from '../../errors.js'
import {type CrdObject, readCrd} from '../../unpack/crds.js'
import {documentsIn, type Findings} from '../../unpack/diagnostics.js'
import type {ProjectFile} from './project-controller.js'

/**
 * The CRDs in a project's files, without what a server writes; other objects are passed over. Throws `input-invalid`
 * with everything that keeps one from being installed, `not-found` where there is none.
 */
export function projectCrds(files: readonly ProjectFile[], folder: string): readonly CrdObject[] {
  const findings: Findings = {errors: [], warnings: []}
  const crds = files.flatMap(({name, bytes}) =>
    documentsIn(name, bytes, findings)
      .filter(({yaml}) => isCrd(yaml.value))
      .flatMap(document => readCrd(document, 'Cluster', findings) ?? []),
  )
  if (findings.errors.length > 0) {
    throw new CrossplaneError('input-invalid', `${folder} holds CRDs that no package can own`, {
      diagnostics: findings.errors,
      suggestions: ['Mend them where they are made, and run the command again.'],
    })
  }
  if (crds.length > 0) return unique(crds, folder)
  throw new CrossplaneError('not-found', `${folder} holds no CRD in its YAML files`, {
    suggestions: ['Run make manifests first, if this is a kubebuilder project, or name another folder.'],
  })
}

function isCrd(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'CustomResourceDefinition'
  )
}

function unique(crds: readonly CrdObject[], folder: string): readonly CrdObject[] {
  const names = crds.map(({definition}) => definition.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return crds
  throw new CrossplaneError('input-invalid', `${folder} defines ${twice} twice`, {
    suggestions: ['Leave one of the two files out.'],
  })
}
