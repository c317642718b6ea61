import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'
import type {Behavior} from '../unpack/package.js'
import {namedTemplate, STATUS_TEMPLATE} from '../unpack/templates/named-template.js'
import type {TemplateFiles} from '../unpack/templates/template-kinds.js'
import {asText, type JsonObject} from '../yaml/json-value.js'

/** Where the controller of a template stack reads its templates. */
export type TemplateSource = 'image' | 'inline'

/** An object of 1.5 MiB is rejected by etcd, and managed fields and copies of it need space as well. */
const MAX_INLINE_BYTES = 512 * 1024

/** Named templates are texts of the record by design; other engines read a folder of the image unless the user decides. */
export function templateSource({engine}: Behavior, chosen: TemplateSource | undefined): TemplateSource {
  return chosen ?? (asText(engine.type) === 'gotemplate' ? 'inline' : 'image')
}

/** The fields of a definition that hold templates. */
export interface InlineTemplates {
  /** The fields beside the behavior. */
  readonly spec: JsonObject
  /** The fields in the source of the behavior. */
  readonly source: JsonObject
}

/**
 * Returns the templates as fields of a definition: named ones as `templates` and `templateStatus`, files of other engines by
 * their paths. Throws `limit-exceeded`, and `package-invalid` for files that are not text.
 */
export function inlineTemplates(behavior: Behavior, files: TemplateFiles): InlineTemplates {
  const size = files.reduce((sum, {path, bytes}) => sum + path.length + bytes.length, 0)
  if (size > MAX_INLINE_BYTES) throw tooLarge(behavior, size)
  const texts = files.map(({path, bytes}) => ({path, text: textIn(behavior, path, bytes)}))
  if (asText(behavior.engine.type) === 'gotemplate') return {spec: namedTemplates(texts), source: {}}
  return {spec: {}, source: {files: Object.fromEntries(texts.map(({path, text}) => [path, text]))}}
}

interface TextFile {
  readonly path: string
  readonly text: string
}

/** `KIND.GROUP_VERSION/NAME.yaml` is `templates["KIND.GROUP/VERSION"].NAME`; other folders are texts to include. */
function namedTemplates(files: readonly TextFile[]): JsonObject {
  const templates: Record<string, Record<string, string>> = {}
  const templateStatus: Record<string, string> = {}
  for (const {path, text} of files) {
    const {key, name, renders} = namedTemplate(path)
    if (renders !== undefined && name === STATUS_TEMPLATE) templateStatus[key] = text
    else (templates[key] ??= {})[name] = text
  }
  return {
    ...(Object.keys(templates).length === 0 ? {} : {templates}),
    ...(Object.keys(templateStatus).length === 0 ? {} : {templateStatus}),
  }
}

function textIn(behavior: Behavior, path: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Reported below, with the file.
  }
  const file = `${behavior.source.path}/${path}`
  throw new CrossplaneError(
    'package-invalid',
    `cannot include the templates: ${quoted(file)} is not a text`,
    {
      suggestions: ['Remove the file, or leave out --templates-from inline.'],
    },
  )
}

function tooLarge({source}: Behavior, size: number): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `cannot include the templates: ${quoted(source.path)} has ${size} bytes, and the maximum is ${MAX_INLINE_BYTES}`,
    {suggestions: ['Pass --templates-from image.']},
  )
}
