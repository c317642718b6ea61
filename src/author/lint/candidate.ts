import type {SchemaRules} from '../../crd/schema-rules.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {OwnedCrd} from '../../index/package-summary.js'
import type {ImageFacts} from '../../locate/image-files.js'
import type {ImageName} from '../../reference/image-name.js'
import {present} from '../../present.js'
import type {App} from '../../unpack/app.js'
import {crdDefinition, type SourceCrd} from '../../unpack/crds.js'
import {documentsOf, type SourceDocument} from '../../unpack/diagnostics.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {Behavior} from '../../unpack/package.js'
import type {TemplateKind} from '../../unpack/templates/template-kind.js'
import type {TemplateFiles} from '../../unpack/templates/template-kinds.js'
import type {UnpackedChart} from '../../unpack/templates/unpacked-chart.js'
import {type Examination, examinePackage} from '../../unpack/read-package.js'
import {displayPath, type PackageFile} from '../../unpack/package-file.js'
import {asObject, isJsonObject, type JsonObject} from '../../yaml/json-value.js'

/** What the engine of templates finds in them, and makes of the custom resources of the package's tests. */
export interface EngineFindings {
  /** Diagnostics of the rules that need an engine. */
  readonly diagnostics: readonly Diagnostic[]
  /** The kinds of the rendered objects, by the templates that made them. */
  readonly kinds: readonly TemplateKind[]
}

/** The files of a package, and the reference that it is pulled with if that is known. */
export interface LintSubject {
  readonly files: readonly PackageFile[]
  /** What the files are read as, if they were examined before. */
  readonly examination?: Examination
  readonly reference?: ImageName
  /** The tag of the image that the files came from. */
  readonly tag?: string
  /** The templates of a template stack, by their paths in the folder of the behavior, if they could be read. */
  readonly templates?: TemplateFiles
  /** Archives of charts among the templates that cannot be read, and why. */
  readonly unreadArchives?: UnpackedChart['unread']
  /** The image of a template stack, if the package is read from one. */
  readonly image?: ImageFacts
  /** What the engine of the templates finds. */
  readonly engine?: EngineFindings
  /** The CRDs of other packages that were looked up, for the kinds that templates create. */
  readonly provided?: readonly OwnedCrd[]
  /** Compiles the rules in CEL of CRDs; without it they are left to the server. */
  readonly rules?: SchemaRules
}

/** A CRD as its file has it, valid or not: enough to match metadata files with it. */
export type DeclaredCrd = SourceCrd

/** A file with its document. */
interface Read<Value> {
  readonly document: SourceDocument
  readonly value: Value
}

/** The input of the checks. */
export interface Candidate {
  readonly examination: Examination
  readonly reference?: ImageName
  /** The tag of the reference, otherwise that of the image. */
  readonly tag?: string
  readonly crds: readonly DeclaredCrd[]
  /** Whether every CRD file could be read; otherwise a file that matches no CRD may match one of the others. */
  readonly knowsAllCrds: boolean
  readonly app?: Read<App>
  readonly controller?: Read<JsonObject>
  readonly behavior?: Read<Behavior>
  readonly templates?: TemplateFiles
  readonly unreadArchives: UnpackedChart['unread']
  readonly image?: ImageFacts
  readonly engine?: EngineFindings
  readonly provided?: readonly OwnedCrd[]
  readonly rules?: SchemaRules
  /** The non-empty documents of a file; none if it is not valid YAML. */
  readonly documentsOf: (file: PackageFile) => readonly SourceDocument[]
}

export function candidateOf({
  files,
  examination = examinePackage(files),
  reference,
  tag,
  templates,
  unreadArchives = [],
  image,
  engine,
  provided,
  rules,
}: LintSubject): Candidate {
  const documentsOf = documentReader(examination)
  const kinds = examination.files
  const crds = kinds.crds.flatMap(file => documentsOf(file).flatMap(document => declared(file, document)))
  const read = <Value>(kind: readonly PackageFile[], value: Value | undefined): Read<Value> | undefined => {
    const document = kind.slice(0, 1).flatMap(documentsOf)[0]
    return value === undefined || document === undefined ? undefined : {document, value}
  }
  return {
    reference,
    ...present({templates, image, engine, provided, rules}),
    unreadArchives,
    tag: reference?.tag ?? tag,
    examination,
    crds,
    knowsAllCrds: knowsAll(crds, examination, documentsOf),
    documentsOf,
    app: read(kinds.apps, examination.app),
    controller: read(kinds.installs, examination.controller),
    behavior: read(kinds.behaviors, examination.behavior),
  }
}

/** Reads the files that the examination did not read, each once. */
function documentReader(examination: Examination): Candidate['documentsOf'] {
  const documentsByFile = new Map(examination.documents)
  return file => {
    const documents = documentsByFile.get(file) ?? documentsOf(file, {errors: [], warnings: []})
    documentsByFile.set(file, documents)
    return documents
  }
}

function declared(file: PackageFile, document: SourceDocument): DeclaredCrd[] {
  const {value} = document.yaml
  if (!isJsonObject(value) || value.kind !== CRD_KIND.kind) return []
  const definition = crdDefinition(value)
  return definition.kind === '' ? [] : [{file, document, definition, object: value as KubernetesObject}]
}

function knowsAll(
  crds: readonly DeclaredCrd[],
  {files, errors}: Examination,
  documentsOf: Candidate['documentsOf'],
): boolean {
  const faulty = new Set(errors.map(error => error.file))
  const sources = files.crds
    .flatMap(documentsOf)
    .filter(({yaml}) => asObject(yaml.value).kind === CRD_KIND.kind)
  const isUnreadable = (file: PackageFile) => documentsOf(file).length === 0 && faulty.has(displayPath(file))
  return crds.length === sources.length && !files.crds.some(isUnreadable)
}
