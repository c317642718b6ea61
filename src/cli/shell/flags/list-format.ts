import {CrossplaneError} from '../../../errors.js'
import {quoted} from '../../../text.js'
import {compileJsonPath} from './json-path.js'

const FORMATS = ['text', 'wide', 'name', 'json', 'yaml'] as const

/** What the value of `-o` for a template begins with. */
export const JSON_PATH = 'jsonpath='

/** Checks the value of `-o` of a list. Throws `usage`. @param others - further formats of the command. */
export function checkListFormat(format: string, others: readonly string[] = []): string {
  const formats = [...FORMATS, ...others]
  if (format.startsWith(JSON_PATH)) compileJsonPath(format.slice(JSON_PATH.length))
  else if (!formats.includes(format)) {
    throw new CrossplaneError('usage', `invalid --output ${quoted(format)}`, {
      suggestions: [`Use ${formats.join(', ')} or ${JSON_PATH}TEMPLATE.`],
    })
  }
  return format
}
