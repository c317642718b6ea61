import {compileJsonPath} from '../flags/json-path.js'
import {JSON_PATH} from '../flags/list-format.js'
import {lines} from '../text/lines.js'
import {plainText} from '../text/plain-text.js'
import {formatDocument, show, showNothingFound} from './show.js'

/** A list in every format that `-o` has for lists. */
export interface List {
  readonly document: Parameters<typeof formatDocument>[0]
  readonly names: readonly string[]
  readonly table: (isWide: boolean) => string
  /** The message on standard error instead of an empty table. */
  readonly empty: string
}

/** Prints a list; an empty table is a message on standard error. */
export async function showList({document, names, table, empty}: List, format: string): Promise<void> {
  if (format.startsWith(JSON_PATH))
    return await show(compileJsonPath(format.slice(JSON_PATH.length))(document))
  if (format === 'json' || format === 'yaml') return await show(formatDocument(document, format))
  if (names.length === 0) showNothingFound(empty)
  else await show(format === 'name' ? lines(names.map(name => plainText(name))) : table(format === 'wide'))
}
