import {checkNames} from '../../crd/checks/check-names.js'
import {CrossplaneError} from '../../errors.js'
import {type CrdObject, readCrd} from '../../unpack/crds.js'
import {
  documentsIn,
  errorAt,
  type DiagnosticCollector,
  type SourceDocument,
} from '../../unpack/diagnostics.js'
import {asObject} from '../../yaml/json-value.js'
import type {ProjectFile} from './project-controller.js'

/**
 * Returns the CRDs in a project's files, without the fields that a server writes; other objects are skipped. Groups
 * and kinds are valid names, and can be parts of paths. Throws `input-invalid` with everything that prevents a CRD
 * from being installed, `not-found` if there is none.
 */
export function projectCrds(files: readonly ProjectFile[], folder: string): readonly CrdObject[] {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const documents = files.flatMap(({name, bytes}) => documentsIn(name, bytes, collector))
  const crds = new ProjectCrds(collector)
  for (const document of documents.filter(({yaml}) => isCrd(yaml.value))) crds.add(document)
  if (collector.errors.length > 0) {
    throw new CrossplaneError('input-invalid', `cannot create a package from the CRDs of ${folder}`, {
      diagnostics: collector.errors,
      suggestions: ['Fix the CRDs where they are generated, and run the command again.'],
    })
  }
  if (crds.crds.length > 0) return crds.crds
  throw new CrossplaneError('not-found', `no CRD found in the YAML files of ${folder}`, {
    suggestions: ['Run "make manifests" first if this is a kubebuilder project, or pass another folder.'],
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

/** CRDs of different names, plurals and kinds. */
class ProjectCrds {
  readonly crds: CrdObject[] = []
  readonly #fileOf = new Map<string, string>()

  constructor(private readonly collector: DiagnosticCollector) {}

  add(document: SourceDocument): void {
    const crd = readCrd(document, 'Cluster', this.collector)
    if (crd === undefined) return
    this.crds.push(crd)
    checkNames(asObject(crd.object.spec), (rule, {place}, message) => {
      if (rule === 'group' || rule === 'names') this.#report(document, `crd-${rule}`, place, message)
    })
    const {name, group, kind} = crd.definition
    const isNew = this.#claim(document, name, ['metadata', 'name'])
    if (isNew) this.#claim(document, `${kind.toLowerCase()}.${group} (a kind)`, ['spec', 'names', 'kind'])
  }

  #claim(document: SourceDocument, name: string, path: readonly string[]): boolean {
    const earlier = this.#fileOf.get(name)
    if (earlier === undefined) this.#fileOf.set(name, document.name)
    else this.#report(document, 'crd-duplicate', path, `${name} is already defined in ${earlier}`)
    return earlier === undefined
  }

  #report(document: SourceDocument, rule: string, path: readonly (string | number)[], message: string): void {
    errorAt(document, {rule, path, message}, this.collector)
  }
}
