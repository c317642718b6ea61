import type {Diagnostic} from '../../diagnostic.js'
import {objectTemplates, textOf} from '../../unpack/templates/template-kinds.js'
import {HOOK} from '../../unpack/templates/text-kinds.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {disputedScalars} from '../../yaml/disputed-scalars.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {CrossplaneError} from '../../errors.js'
import {DELETION_PRIORITY} from '../../unpack/templates/deletion-priority.js'
import type {Candidate} from './candidate.js'
import {checkCreatedKinds} from './check-created-kinds.js'
import {type LintedTemplates, templateDiagnostic} from './linted-templates.js'

/** Checks the text of templates, without rendering them. */
export function checkTemplates(candidate: Candidate): Diagnostic[] {
  const {behavior, templates: files} = candidate
  if (behavior === undefined || files === undefined) return []
  const templates = {behavior: behavior.value, files}
  return [
    ...checkCreatedKinds(candidate, templates),
    ...checkChart(candidate, templates),
    ...files
      .filter(({path}) => YAML.test(path))
      .flatMap(({path, bytes}) => checkPriorities(textOf(bytes), path, templates)),
    ...checkTemplateScalars(templates),
  ]
}

const YAML = /\.ya?ml$/

function checkChart({crds: own, unreadArchives}: Candidate, templates: LintedTemplates): Diagnostic[] {
  const {behavior, files} = templates
  if (asText(behavior.engine.type) !== 'helm3') return []
  const archives = unreadArchives.map(({file, reason}) =>
    templateDiagnostic(templates, 'chart-archive', {file, line: 1}, `the archive cannot be read: ${reason}`),
  )
  const names = new Set(own.map(({definition}) => definition.name))
  const crds = files
    .filter(file => CRD_FILE.test(file.path) && !crdNames(file).every(name => names.has(name)))
    .map(({path}) => {
      const message = 'the CRDs of a chart are left out: a package installs its CRDs from .registry/'
      return templateDiagnostic(templates, 'chart-crds', {file: path, line: 1}, message)
    })
  const hooks = objectTemplates(behavior, files).flatMap(({path, bytes}) =>
    textLines(bytes).flatMap(({text, line}) => {
      const hook = HOOK.exec(text)?.[1]?.trim()
      if (hook === undefined) return []
      const message = `the hook ${hook} is left out: a controller applies no hooks`
      return [templateDiagnostic(templates, 'chart-hooks', {file: path, line}, message)]
    }),
  )
  return [...archives, ...crds, ...hooks]
}

const CRD_FILE = /^(?:charts\/[^/]+\/)*crds\/.*\.(?:ya?ml|json)$/

/** A file that cannot be read has a CRD without a name. */
function crdNames({path, bytes}: LintedTemplates['files'][number]): readonly string[] {
  try {
    const names = readYaml(bytes, path).map(({value}) => asText(asObject(asObject(value).metadata).name))
    return names.length === 0 ? [''] : names
  } catch (error) {
    if (error instanceof CrossplaneError) return ['']
    throw error
  }
}

/** The lines of a file, from 1. */
function textLines(bytes: Uint8Array): readonly {readonly text: string; readonly line: number}[] {
  return textOf(bytes)
    .split(/\r?\n/)
    .map((text, index) => ({text, line: index + 1}))
}

const PRIORITY = new RegExp(`^\\s*["']?${DELETION_PRIORITY.replaceAll('.', '\\.')}["']?\\s*:\\s*(.*)$`)

function checkPriorities(text: string, file: string, templates: LintedTemplates): Diagnostic[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const value = PRIORITY.exec(line)?.[1]
      ?.replace(/\s#.*$/, '')
      .trim()
    if (value === undefined || value.includes('{{') || /^(["'])[-+]?\d+\1$/.test(value)) return []
    const isNumber = /^[-+]?\d+$/.test(value)
    const message = isNumber
      ? `the deletion priority ${value} is a number: quote it, because annotations are texts`
      : `the deletion priority ${value === '' ? '""' : value} is not an integer, so the object cannot be deleted`
    return [templateDiagnostic(templates, 'deletion-priority', {file, line: index + 1}, message)]
  })
}

/** A key or a value without quotes of a line of a template: `y: on`. */
const PLAIN_ENTRY = /^\s*(?:- )*([\w./-]+)\s*:(?:\s+([^\s"'{[&*!|>#][^"'{]*?))?\s*(?:#.*)?$/
const PLAIN_ITEM = /^\s*- ([\w.]+)\s*(?:#.*)?$/
const WORD = /^(?:y|n|yes|no|on|off)$/i
const OCTAL = /^0[0-7]+$/

function checkTemplateScalars(templates: LintedTemplates): Diagnostic[] {
  const {behavior, files} = templates
  if (asText(behavior.engine.type) === 'kustomize') {
    return files.filter(({path}) => YAML.test(path)).flatMap(file => disputedIn(file, templates))
  }
  return objectTemplates(behavior, files).flatMap(({path, bytes}) =>
    textLines(bytes).flatMap(({text, line}) => {
      const [, key, value] = PLAIN_ENTRY.exec(text) ?? []
      const [, item] = PLAIN_ITEM.exec(text) ?? []
      return [key, value, item].flatMap(scalar => {
        if (scalar === undefined || !(WORD.test(scalar) || (scalar !== key && OCTAL.test(scalar)))) return []
        const message = `${scalar} is not quoted, so Kubernetes reads ${OCTAL.test(scalar) ? `the number ${Number.parseInt(scalar, 8)}` : 'a boolean'}`
        return [templateDiagnostic(templates, 'template-scalar', {file: path, line}, message)]
      })
    }),
  )
}

function disputedIn(
  {path, bytes}: LintedTemplates['files'][number],
  templates: LintedTemplates,
): Diagnostic[] {
  try {
    return disputedScalars(bytes, path).map(({line, text, isKey, here}) => {
      const message = `${isKey ? `the key ${text}` : text} is not quoted, so Kubernetes reads ${here}`
      return templateDiagnostic(templates, 'template-scalar', {file: path, line}, message)
    })
  } catch (error) {
    if (error instanceof CrossplaneError) return []
    throw error
  }
}
