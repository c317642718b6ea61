import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/**
 * Throws `source-invalid` for JSON with the same key twice in one object, which two programs can read as two contents. The
 * bytes are valid JSON.
 */
export function expectUniqueKeys(json: Uint8Array): void {
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of new TextDecoder().decode(json).matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') addKey(open.at(-1), JSON.parse(last) as string)
    last = token
  }
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key) === true) {
    throw new CrossplaneError('source-invalid', `the signed content has the key ${quoted(key)} twice`)
  }
  keys?.add(key)
}
