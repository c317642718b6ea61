import {CrossplaneError} from '../../errors.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import type {Statement} from '../../signatures/statement.js'
import {asText} from '../../yaml/json-value.js'

/** The types of SBOMs as predicates: https://github.com/in-toto/attestation/tree/main/spec/predicates */
export const CYCLONEDX = 'https://cyclonedx.org/bom'
const SPDX = 'https://spdx.dev/Document'

/** Reads an SBOM that another program wrote: CycloneDX or SPDX in JSON. Throws `input-invalid`, naming `holder`. */
export function givenSbom(bytes: Uint8Array, holder: string): Statement {
  const predicate = jsonIn(bytes)
  if (asText(predicate['bomFormat']) === 'CycloneDX') return {predicateType: CYCLONEDX, predicate}
  if (asText(predicate['spdxVersion']) !== '') return {predicateType: SPDX, predicate}
  throw new CrossplaneError('input-invalid', `${holder} is not an SBOM of CycloneDX or SPDX in JSON`, {
    suggestions: ['Convert it to JSON, or generate one with --sbom generate.'],
  })
}

function jsonIn(bytes: Uint8Array) {
  try {
    return parseJsonObject(bytes, 'the SBOM')
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'source-invalid') return {}
    throw error
  }
}
