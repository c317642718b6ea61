import {accessSync, constants} from 'node:fs'
import {delimiter, join} from 'node:path'

/** Says that a tool is not on PATH, for `describeReal`; undefined when it is. */
export function missingTool(...names: readonly string[]): string | undefined {
  const missing = names.filter(
    name => !(process.env.PATH ?? '').split(delimiter).some(at => isProgram(join(at, name))),
  )
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not on PATH`
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
