import type {Diagnostic} from '../diagnostic.js'
import {convertCrd} from '../crd/convert/convert-crd.js'
import type {ConversionNote, NoteRule} from '../crd/convert/conversion-note.js'
import type {CrdApiVersion} from '../crd/kube-version.js'
import {listSome} from '../text.js'
import type {InstallSet} from './install-set.js'

/** In which API version CRDs are written, and what becomes of a schema that v1 has no form for. */
export interface CrdChoice {
  readonly apiVersion: CrdApiVersion
  readonly nonStructural: 'refuse' | 'preserve'
}

/**
 * The set with its CRDs in one API version. v1beta1 ones become v1 with the same instances valid; what that changes for a
 * user is a warning for each kind of change, counted. Asked for v1beta1, every CRD stays as its source has it. Throws
 * `package-invalid` for a schema that has no form in v1.
 */
export function withCrdVersion(set: InstallSet, {apiVersion, nonStructural}: CrdChoice): InstallSet {
  if (apiVersion === 'v1beta1') return set
  const notes: NamedNote[] = []
  const objects = set.objects.map(each => {
    if (each.object.kind !== 'CustomResourceDefinition') return each
    const converted = convertCrd(each.object, {nonStructural})
    notes.push(...converted.notes.map(note => ({name: each.object.metadata.name, note})))
    return {...each, object: converted.crd}
  })
  return {...set, objects, warnings: [...set.warnings, ...warningsOf(notes)]}
}

interface NamedNote {
  readonly name: string
  readonly note: ConversionNote
}

/** The changes that a user of the CRD may notice, and how to say so of several. */
const NOTICEABLE: readonly {readonly rule: NoteRule; readonly says: string}[] = [
  {
    rule: 'pruned-by-default',
    says: 'fields that the schema does not name are dropped, where v1beta1 kept them',
  },
  {rule: 'format-enforced', says: 'numbers outside of their format are refused, where v1beta1 took them'},
  {rule: 'fallback', says: 'anything is accepted where v1 has no form for the schema'},
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
        message: `as v1, ${listSome(names, MAX_NAMED)} ${names.length === 1 ? says : `each ${says}`}`,
      },
    ]
  })
}
