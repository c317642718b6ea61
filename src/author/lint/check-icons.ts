import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {displayPath} from '../../unpack/package-file.js'
import {asObject, asText, isJsonArray} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'
import {readPicture} from './pictures/read-picture.js'

/** Every CRD below an icon carries it in an annotation; the size of all annotations of a CRD is limited. */
const LARGE_ICON = 64 * 1024

/** Checks that icons match their names and can be displayed. */
export function checkIcons(candidate: Candidate): Diagnostic[] {
  return [...iconFiles(candidate), ...iconsInApp(candidate)].flatMap(({bytes, mediatype, toDiagnostic}) =>
    diagnosticsOf(bytes, mediatype).map(({rule, text}) => toDiagnostic(rule, text)),
  )
}

interface Icon {
  readonly bytes: Uint8Array
  /** The type that its name or its field gives. */
  readonly mediatype: string
  readonly toDiagnostic: (rule: string, text: string) => Diagnostic
}

function iconFiles({examination}: Candidate): Icon[] {
  return examination.metadata.icons.all.map(({file, value: {mediatype}}) => ({
    bytes: file.bytes,
    mediatype,
    toDiagnostic: (rule, text) => ({
      severity: 'warning',
      rule,
      message: `the icon ${text}`,
      file: displayPath(file),
    }),
  }))
}

function iconsInApp({app}: Candidate): Icon[] {
  const icons = app?.value.fields.icons
  if (app === undefined || !isJsonArray(icons)) return []
  return icons.map((icon, index) => ({
    bytes: Buffer.from(asText(asObject(icon).base64Data), 'base64'),
    mediatype: asText(asObject(icon).mediatype),
    toDiagnostic: (rule, text) => {
      const path = ['icons', index]
      return diagnosticAt(app.document, rule, path, `icons[${index}] ${text}`)
    },
  }))
}

interface DiagnosticDraft {
  readonly rule: string
  readonly text: string
}

function diagnosticsOf(bytes: Uint8Array, mediatype: string): DiagnosticDraft[] {
  const facts = readPicture(bytes)
  if (facts?.mediatype !== mediatype) {
    const pictureType = facts === undefined ? 'not a supported picture' : facts.mediatype
    return [{rule: 'icon-content', text: `must be ${mediatype || 'of a known type'}, but is ${pictureType}`}]
  }
  const {damage, activity = [], size} = facts
  const isSquare = size === undefined || size.width === size.height
  return [
    ...(damage === undefined ? [] : [{rule: 'icon-corrupt', text: `cannot be displayed: ${damage}`}]),
    ...activity.map(what => ({rule: 'icon-active', text: what})),
    ...(isSquare ? [] : [{rule: 'icon-ratio', text: `is ${size.width} × ${size.height} pixels, not square`}]),
    ...(bytes.length <= LARGE_ICON
      ? []
      : [{rule: 'icon-size', text: `has ${bytes.length} bytes, more than ${LARGE_ICON}`}]),
  ]
}
