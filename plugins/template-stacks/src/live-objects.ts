import {
  asObjects,
  asText,
  CrossplaneError,
  type Diagnostic,
  type InputFile,
  isJsonObject,
  type JsonObject,
  readYaml,
} from 'kubectl-crossplane/plugin'

/** Reads the objects that exist from a file, such as the output of kubectl get. Throws `input-invalid`. */
export function readLiveObjects({name, bytes}: InputFile): readonly JsonObject[] {
  const errors: Diagnostic[] = []
  const objects = readYaml(bytes, name).flatMap(({value, line}): readonly JsonObject[] => {
    if (isJsonObject(value) && asText(value.kind) !== '')
      return asText(value.kind).endsWith('List') ? asObjects(value.items) : [value]
    errors.push({
      severity: 'error',
      rule: 'state-object',
      message: 'this is not a Kubernetes object',
      file: name,
      line,
    })
    return []
  })
  if (errors.length === 0) return objects
  throw new CrossplaneError('input-invalid', `cannot read the objects in ${name}: invalid content`, {
    diagnostics: errors,
  })
}
