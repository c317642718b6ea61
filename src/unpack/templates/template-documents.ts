import {CrossplaneError} from '../../errors.js'
import {isJsonObject, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {PackageFile} from '../package-file.js'

/** A map in a YAML file of templates. */
export interface TemplateDocument {
  readonly value: JsonObject
  readonly line: number
  readonly lineOf: (path: FieldPath) => number
}

/** Reads the maps of a YAML file; none if it is not valid YAML, as most templates. */
export function templateDocuments({path, bytes}: PackageFile): readonly TemplateDocument[] {
  try {
    return readYaml(bytes, path).flatMap(document => {
      const {value, line} = document
      return isJsonObject(value) ? [{value, line, lineOf: path => document.lineOf(path)}] : []
    })
  } catch (error) {
    if (error instanceof CrossplaneError) return []
    throw error
  }
}
