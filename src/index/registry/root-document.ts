import {listAll} from '../../text.js'
import {CrossplaneError} from '../../errors.js'
import {asText} from '../../yaml/json-value.js'
import {FieldCheck} from '../entry/field-check.js'
import {INDEX_FORMAT, isReadable, parseDocument} from '../entry/read-document.js'
import type {IndexLayout} from './layout.js'

const ROOT_KIND = 'PackageIndex'
const LAYOUTS: readonly string[] = ['repositories', 'single-repository'] satisfies IndexLayout[]

/** The root document of an index, keys sorted. */
export function rootBytes(layout: IndexLayout): Uint8Array {
  return Buffer.from(JSON.stringify({formatVersion: INDEX_FORMAT, kind: ROOT_KIND, layout}))
}

/** Reads the layout of an index. Throws `index-invalid` for any other document and for newer formats. */
export function readRoot(name: string, bytes: Uint8Array): IndexLayout {
  const check = new FieldCheck({file: name})
  const document = parseDocument(bytes, check)
  const layout =
    document !== undefined && isReadable(document, ROOT_KIND, check) ? document.layout : undefined
  if (isLayout(asText(layout))) return asText(layout) as IndexLayout
  check.reject(`layout must be one of ${listAll(LAYOUTS, 'or')}`, 'layout')
  throw new CrossplaneError('index-invalid', `${name} is not a valid root of a package index`, {
    diagnostics: check.diagnostics,
    suggestions: ['Check the name, or upgrade kubectl-crossplane'],
  })
}

function isLayout(text: string): boolean {
  return LAYOUTS.includes(text)
}
