import {asText, type JsonObject} from '../../yaml/json-value.js'
import {isDns1035Label} from '../../reference/kubernetes-names.js'
import {child, item, type Report, type Spot} from '../schema-diagnostic.js'

const SPEC: Spot = {path: 'spec', place: ['spec']}
const VERSIONS = child(SPEC, 'versions')
const DEPRECATION_LENGTH = 256

/** Reports errors in the names and flags of versions. */
export function checkVersions(versions: readonly JsonObject[], report: Report): void {
  versions.forEach((version, index) => {
    const spot = item(VERSIONS, index)
    if (!isDns1035Label(asText(version.name))) {
      report('versions', child(spot, 'name'), `${asText(version.name)} is not a DNS label`)
    }
    checkDeprecation(version, child(spot, 'deprecationWarning'), report)
  })
  const first = asText(versions[0]?.name)
  if (first !== '' && !isDns1035Label(first)) {
    // The server keeps the first version's name in a second field, and reports both.
    const place = [...VERSIONS.place, 0, 'name']
    report('versions', {path: 'spec.version', place}, `${first} is not a DNS label`)
  }
  checkSet(versions, report)
}

function checkSet(versions: readonly JsonObject[], report: Report): void {
  const names = versions.map(version => asText(version.name))
  if (new Set(names).size < names.length) report('versions', VERSIONS, 'two versions have the same name')
  const stored = names.filter((_, index) => versions[index]?.storage === true)
  if (stored.length === 1) return
  report('versions', VERSIONS, 'exactly one version must have storage: true')
  const status = {path: 'status.storedVersions', place: VERSIONS.place}
  report('versions', status, 'the stored version follows from the one version that has storage: true')
}

function checkDeprecation({deprecated, deprecationWarning}: JsonObject, spot: Spot, report: Report): void {
  if (typeof deprecationWarning !== 'string') return
  if (deprecated !== true) report('versions', spot, 'a version that is not deprecated has no warning')
  const bytes = Buffer.byteLength(deprecationWarning)
  if (bytes === 0 || bytes > DEPRECATION_LENGTH || !isPrintable(deprecationWarning)) {
    report('versions', spot, `a warning is 1 to ${DEPRECATION_LENGTH} printable bytes`)
  }
}

/** Printable characters in Go: letters, marks, numbers, punctuation, symbols and the ASCII space. */
function isPrintable(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text)
}
