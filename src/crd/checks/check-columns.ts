import {listAll} from '../../text.js'
import {asObject, asObjects, asText, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import {child, item, type Report, type Spot} from '../schema-diagnostic.js'

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']

/** Reports errors in a list of printer columns. */
export function checkColumns(columns: JsonValue, spot: Spot, report: Report): void {
  asObjects(columns).forEach((column, index) => {
    const at = item(spot, index)
    if (asText(column.name) === '') report('printer-column', child(at, 'name'), 'a column needs a name')
    if (!COLUMN_TYPES.includes(asText(column.type))) {
      report('printer-column', child(at, 'type'), `a column is one of ${listAll(COLUMN_TYPES, 'or')}`)
    }
    const format = asText(column.format)
    if (format !== '' && !COLUMN_FORMATS.includes(format)) {
      report('printer-column', child(at, 'format'), `a format is one of ${listAll(COLUMN_FORMATS, 'or')}`)
    }
    if (!asText(column.jsonPath).startsWith('.')) {
      report('printer-column', child(at, 'JSONPath', 'jsonPath'), 'a path begins with a dot')
    }
  })
}

/** Reports errors in the subresources of a version. */
export function checkSubresources(subresources: JsonValue, spot: Spot, report: Report): void {
  const {scale} = asObject(subresources)
  if (!isJsonObject(scale)) return
  const mustBegin = (field: string, ...prefixes: readonly string[]) => {
    if (prefixes.some(prefix => asText(scale[field]).startsWith(prefix))) return
    const {path, place} = child(spot, 'scale')
    const at = {path: `${path}.${field}`, place: [...place, field]}
    report('scale', at, `it must be a path that begins with ${prefixes.join(' or ')}`)
  }
  mustBegin('specReplicasPath', '.spec.')
  mustBegin('statusReplicasPath', '.status.')
  if (asText(scale.labelSelectorPath) !== '') mustBegin('labelSelectorPath', '.spec.', '.status.')
}
