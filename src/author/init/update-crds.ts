import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {CrdObject, SourceCrd} from '../../unpack/crds.js'
import {displayPath} from '../../unpack/package-file.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {crdFile, groupFiles, type NewFile, resourceFile} from './scaffold.js'

/** The changes that update the CRDs of a package. */
export interface CrdUpdate {
  /** Files to replace: each contains one CRD and nothing else. */
  readonly changed: readonly NewFile[]
  /** Files of CRDs that the package does not have; an existing one is left unchanged. */
  readonly added: readonly NewFile[]
  /** CRDs that are only in the package. */
  readonly notes: readonly Diagnostic[]
}

/**
 * Compares the CRDs of a package with those of its project. A CRD is replaced where the package has it, whatever the
 * file's name. Throws `output-refused` if such a file contains other objects, too.
 */
export function updateCrds(project: readonly CrdObject[], present: readonly SourceCrd[]): CrdUpdate {
  const byName = new Map(present.map(crd => [crd.definition.name, crd]))
  const changed = project.flatMap(crd => {
    const old = byName.get(crd.definition.name)
    return old === undefined || jsonEqual(old.object, crd.object) ? [] : [{crd, old}]
  })
  expectAlone(
    changed.map(({old}) => old),
    present,
  )
  const added = project.filter(({definition}) => !byName.has(definition.name))
  return {
    changed: changed.map(({crd, old}) => ({path: displayPath(old.file), text: writeYaml([crd.object])})),
    added: [...groupFiles(added), ...added.flatMap(crd => [crdFile(crd), resourceFile(crd)])],
    notes: onlyPresent(project, present),
  }
}

function expectAlone(changed: readonly SourceCrd[], present: readonly SourceCrd[]): void {
  const shared = changed.filter(({file}) => present.filter(crd => crd.file === file).length > 1)
  if (shared.length === 0) return
  throw new CrossplaneError('output-refused', 'cannot update CRDs that share a file: nothing was written', {
    diagnostics: shared.map(({file, definition}) => ({
      severity: 'error',
      rule: 'init-shared-file',
      message: `${definition.name} has changed, and the file holds other CRDs`,
      file: displayPath(file),
    })),
    suggestions: ['Split these files so that each holds one CRD.'],
  })
}

function onlyPresent(project: readonly CrdObject[], present: readonly SourceCrd[]): Diagnostic[] {
  const names = new Set(project.map(({definition}) => definition.name))
  return present
    .filter(({definition}) => !names.has(definition.name))
    .map(({file, definition}) => ({
      severity: 'note',
      rule: 'init-crd-gone',
      message: `${definition.name} is no longer defined by the project`,
      file: displayPath(file),
    }))
}
