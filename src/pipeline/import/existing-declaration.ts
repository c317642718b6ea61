import {type DeclaredSettings, withSettings} from '../../declaration/add-settings.js'
import type {Declaration} from '../../declaration/declaration.js'
import {type DeclarationFile, isDeclaration, textOf} from '../../declaration/edit-declaration.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {CrossplaneError} from '../../errors.js'
import {compareText} from '../../reference/compare-text.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {JsonValue} from '../../yaml/json-value.js'

/**
 * Returns the text of a declaration that exists, with a layout; undefined if it requests other packages than an import, or with other
 * settings. How its tree is laid out, the order of packages and comments do not count, and stay. Throws `usage` if it has another layout.
 */
export function existingDeclaration(
  file: DeclarationFile,
  imported: string,
  tree: DeclaredSettings['tree'],
): string | undefined {
  const existing = readOrUndefined(file)
  const next = readDeclaration(file.name, Buffer.from(imported))
  if (existing === undefined || !isDeclaration(imported, {...sortedAs(existing, next), tree: next.tree}))
    return undefined
  return tree === undefined
    ? textOf(file.bytes)
    : withSettings(file, {render: {}, assume: [], owners: [], tree})
}

function readOrUndefined({name, bytes}: DeclarationFile): Declaration | undefined {
  try {
    return readDeclaration(name, bytes)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

/** With the packages in the order of another declaration. */
function sortedAs(existing: Declaration, {packages}: Declaration): Declaration {
  const keyOf = (one: Declaration['packages'][number]) => writeJson(one as unknown as JsonValue)
  const order = new Map(packages.map((one, index) => [keyOf(one), index]))
  const placeOf = (one: Declaration['packages'][number]) => order.get(keyOf(one)) ?? packages.length
  const sorted = [...existing.packages].sort(
    (a, b) => placeOf(a) - placeOf(b) || compareText(keyOf(a), keyOf(b)),
  )
  return {...existing, packages: sorted}
}
