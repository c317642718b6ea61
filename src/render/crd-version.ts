import {isCrd} from '../kubernetes/crd-kind.js'
import type {Diagnostic} from '../diagnostic.js'
import {convertCrd} from '../crd/convert/convert-crd.js'
import type {ConversionNote, NoteRule} from '../crd/convert/conversion-note.js'
import type {CrdApiVersion} from '../crd/kube-version.js'
import {CrossplaneError} from '../errors.js'
import {count, listSome} from '../text.js'
import type {InstallSet} from './install-set.js'

/** The API version that CRDs are written in, and the handling of schemas that cannot be expressed in v1. */
export interface CrdChoice {
  readonly apiVersion: CrdApiVersion
  readonly nonStructural: 'refuse' | 'preserve'
}

/**
 * The set with its CRDs in one API version. v1beta1 CRDs are converted to v1 with the same instances valid; there is a
 * warning for each kind of change that affects users. For v1beta1, CRDs are left as their source has them. Throws
 * `package-invalid` with the diagnostics of all CRDs that a current API server rejects.
 */
export function withCrdVersion(set: InstallSet, {apiVersion, nonStructural}: CrdChoice): InstallSet {
  if (apiVersion === 'v1beta1') return set
  const notes: NamedNote[] = []
  const rejections: CrossplaneError[] = []
  const objects = set.objects.map(object => {
    if (!isCrd(object.object)) return object
    const converted = attempt(() => convertCrd(object.object, {nonStructural}), rejections)
    if (converted === undefined) return object
    notes.push(...converted.notes.map(note => ({name: object.object.metadata.name, note})))
    return {...object, object: converted.crd}
  })
  expectAccepted(rejections)
  return {...set, objects, warnings: [...set.warnings, ...warningsOf(notes)]}
}

function attempt<T>(work: () => T, rejections: CrossplaneError[]): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    rejections.push(error)
    return undefined
  }
}

function expectAccepted(rejections: readonly CrossplaneError[]): void {
  const [first] = rejections
  if (first === undefined) return
  const message =
    rejections.length === 1
      ? first.message
      : `a current API server rejects ${count(rejections.length, 'CRD')} of the package`
  throw new CrossplaneError(first.code, message, {
    diagnostics: rejections.flatMap(({diagnostics}) => diagnostics),
    suggestions: [...new Set(rejections.flatMap(({suggestions}) => suggestions))],
  })
}

interface NamedNote {
  readonly name: string
  readonly note: ConversionNote
}

/** The changes that users of a CRD can notice. */
const NOTICEABLE: readonly {readonly rule: NoteRule; readonly says: string}[] = [
  {
    rule: 'pruned-by-default',
    says: 'drops fields that the schema does not define (v1beta1 kept them)',
  },
  {rule: 'format-enforced', says: 'rejects numbers outside of their format (v1beta1 accepted them)'},
  {rule: 'fallback', says: 'accepts any value where v1 cannot express the schema'},
]

const MAX_NAMED = 3

function warningsOf(notes: readonly NamedNote[]): Diagnostic[] {
  return NOTICEABLE.flatMap(({rule, says}) => {
    const names = [...new Set(notes.filter(({note}) => note.rule === rule).map(({name}) => name))]
    if (names.length === 0) return []
    return [
      {
        severity: 'warning' as const,
        rule: `crd-${rule}`,
        message: `${listSome(names, MAX_NAMED)}: v1 ${says}`,
      },
    ]
  })
}
