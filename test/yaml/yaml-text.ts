import type {Diagnostic} from '../../src/diagnostic.js'
import {CrossplaneError} from '../../src/errors.js'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../src/yaml/read-yaml.js'

const FILE = 'made/up.yaml'

/** The documents of a text. */
export function documents(text: string): YamlDocument[] {
  return readYaml(Buffer.from(text), FILE)
}

/** The values of the documents of a text. */
export function values(text: string): JsonValue[] {
  return documents(text).map(document => document.value)
}

/** `rule:line` of the one fault for which a text or some bytes are refused; `read` if they are not. */
export function refusal(given: string | Uint8Array): string {
  try {
    readYaml(typeof given === 'string' ? Buffer.from(given) : given, FILE)
    return 'read'
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'input-invalid') throw error
    return error.diagnostics.map(fault => shownDiagnostic(fault)).join()
  }
}

function shownDiagnostic({rule, line, file}: Diagnostic): string {
  return file === FILE ? `${rule}:${String(line)}` : `${rule} in ${String(file)}`
}
