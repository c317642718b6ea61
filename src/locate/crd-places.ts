import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {readCrds} from '../unpack/crds.js'
import {diagnosticAt, type SourceDocument} from '../unpack/diagnostics.js'
import {fileKinds} from '../unpack/file-kinds.js'
import {parsePath} from '../yaml/parse-path.js'
import type {LocatedPackage} from './located-package.js'

/** Runs `work` on the CRDs of these packages. An error about some of them names their files and lines. */
export function withCrdPlaces<T>(
  packages: readonly Pick<LocatedPackage, 'name' | 'files'>[],
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !error.diagnostics.some(isUnplaced)) throw error
    const {code, message, cause, suggestions} = error
    const documents = new Map(packages.flatMap(located => documentsOf(located, packages.length > 1)))
    const diagnostics = error.diagnostics.map(diagnostic => placed(diagnostic, documents))
    throw new CrossplaneError(code, message, {cause, suggestions, diagnostics})
  }
}

function isUnplaced({file, subject}: Diagnostic): boolean {
  return file === undefined && subject?.object?.startsWith(SUBJECT) === true
}

const SUBJECT = 'CustomResourceDefinition '

/** The document of each CRD, by the subject of diagnostics about it. */
function documentsOf(
  {name, files}: Pick<LocatedPackage, 'name' | 'files'>,
  isOneOfSeveral: boolean,
): [string, SourceDocument][] {
  const crds = readCrds(fileKinds(files).crds, 'Cluster', {errors: [], warnings: []})
  return crds.map(({definition, document}) => [
    SUBJECT + definition.name,
    isOneOfSeveral ? {...document, name: `${name} ${document.name}`} : document,
  ])
}

function placed(diagnostic: Diagnostic, documents: ReadonlyMap<string, SourceDocument>): Diagnostic {
  const {rule, message, field = '', subject} = diagnostic
  const document = isUnplaced(diagnostic) ? documents.get(subject?.object ?? '') : undefined
  if (document === undefined) return diagnostic
  return {...diagnostic, ...diagnosticAt(document, rule, parsePath(field), message), field}
}
