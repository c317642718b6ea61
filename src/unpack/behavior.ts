import {normalize} from 'node:path/posix'
import {isJsonObject, type JsonObject} from '../yaml/json-value.js'
import {documentsOf, faultAt, fileFault, type Findings, readTyped, type SourceDocument} from './findings.js'
import type {Behavior} from './package.js'
import {PACKAGE_TYPES} from './package-types.js'
import {displayPath, type RegistryFile} from './registry-file.js'

/** Reads behavior.yaml, which makes the package a template stack; undefined if there is none. */
export function readBehavior(files: readonly RegistryFile[], findings: Findings): Behavior | undefined {
  const [file, second] = files
  if (file === undefined) return undefined
  if (second !== undefined) {
    const message = `a package has one behavior.yaml, and there is another: ${displayPath(file)}`
    findings.errors.push(fileFault(second, 'behavior-duplicate', message))
  }
  const [document] = documentsOf(file, findings)
  if (document !== undefined) return readFields(document, findings)
  if (!findings.errors.some(error => error.file === displayPath(file))) {
    findings.errors.push(fileFault(file, 'behavior-path', 'behavior.yaml is empty: it must name source.path'))
  }
  return undefined
}

function readFields(document: SourceDocument, findings: Findings): Behavior {
  const as = {type: 'Behavior', types: PACKAGE_TYPES, scalars: 'convert'} as const
  const fields = readTyped(document, [], document.yaml.value, as, findings)
  const {controllerImage, ...engine} = fields.engine as JsonObject
  const source = fields.source as {image?: string; path: string}
  const path = cleanPath(source.path)
  if (path === '.' || path === '/') {
    const message = 'source.path must name a folder of the image below its root'
    findings.errors.push(faultAt(document, 'behavior-path', ['source', 'path'], message))
  }
  checkKustomization(document, engine, findings)
  return {
    crd: fields.crd as unknown as Behavior['crd'],
    engine,
    ...(typeof controllerImage === 'string' ? {controllerImage} : {}),
    source: {...source, path},
  }
}

/** As Go's filepath.Clean, which keeps no trailing slash. */
function cleanPath(path: string): string {
  const normal = normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

function checkKustomization(document: SourceDocument, engine: JsonObject, findings: Findings): void {
  const kustomization = isJsonObject(engine.kustomize) ? engine.kustomize.kustomization : undefined
  if (kustomization === undefined) return
  if (isJsonObject(kustomization) && typeof kustomization.kind === 'string' && kustomization.kind !== '')
    return
  const path = ['engine', 'kustomize', 'kustomization']
  findings.errors.push(
    faultAt(document, 'behavior-kustomization', path, `${path.join('.')} must carry its kind`),
  )
}
