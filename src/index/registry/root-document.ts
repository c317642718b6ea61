import {CrossplaneError} from '../../errors.js'
import {asText} from '../../yaml/json-value.js'
import {FieldCheck} from '../entry/field-check.js'
import {INDEX_FORMAT, isReadable, parseDocument} from '../entry/read-document.js'
import type {IndexLayout} from './layout.js'

const ROOT_KIND = 'PackageIndex'
const LAYOUTS: readonly string[] = ['repositories', 'single-repository'] satisfies IndexLayout[]

/** What the root of an index says of it, keys sorted. */
export function rootBytes(layout: IndexLayout): Uint8Array {
  return Buffer.from(JSON.stringify({formatVersion: INDEX_FORMAT, kind: ROOT_KIND, layout}))
}

/** The layout of an index. Throws `index-invalid` for a root that says anything else, or more than this program knows. */
export function readRoot(name: string, bytes: Uint8Array): IndexLayout {
  const check = new FieldCheck({file: name})
  const document = parseDocument(bytes, check)
  const layout =
    document !== undefined && isReadable(document, ROOT_KIND, check) ? document.layout : undefined
  if (isLayout(asText(layout))) return asText(layout) as IndexLayout
  check.refuse(`layout must be one of ${LAYOUTS.join(', ')}`, 'layout')
  throw new CrossplaneError('index-invalid', `${name} does not say how its package index is laid out`, {
    diagnostics: check.diagnostics,
    suggestions: ['Check the name; a newer kubectl-crossplane may have written it.'],
  })
}

function isLayout(text: string): boolean {
  return LAYOUTS.includes(text)
}
