import type {Diagnostic} from '../../diagnostic.js'
import {tagAgrees} from '../../reference/newest-version.js'
import {isRecordVersion} from '../../render/record-version.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import type {Candidate} from './candidate.js'

/** Checks the fields of app.yaml. */
export function checkApp(candidate: Candidate): Diagnostic[] {
  return [...checkTitle(candidate), ...checkVersion(candidate)]
}

function checkTitle({app, examination}: Candidate): Diagnostic[] {
  if (app === undefined || app.value.title !== '') return []
  const file = app.document.name
  const isRejected = examination.errors.some(
    error => error.file === file && /^title$/i.test(error.field ?? ''),
  )
  if (isRejected) return []
  return [diagnosticAt(app.document, 'title-missing', ['title'], 'the package has no title')]
}

function checkVersion({app, tag}: Candidate): Diagnostic[] {
  const version = app?.value.version
  if (app === undefined || version === undefined) return []
  const diagnostics = (rule: string, message: string) => [
    diagnosticAt(app.document, rule, ['version'], message),
  ]
  if (!isRecordVersion(version)) {
    return diagnostics('version', `the version ${JSON.stringify(version)} cannot be part of an object name`)
  }
  if (tag === undefined || tagAgrees(tag, version)) return []
  return diagnostics('version-tag', `the version is ${version}, but the tag of the package is ${tag}`)
}
