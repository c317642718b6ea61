import {readdirSync, readFileSync} from 'node:fs'
import {join, relative, sep} from 'node:path'

/** Every file below a folder by its path, sorted, with its text. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
  return Object.fromEntries(
    files
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
      .map(path => [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')]),
  )
}

/** The files for users, without the list of managed files. */
export function visibleIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(contentOf(folder)).filter(([path]) => !path.startsWith('.')))
}

/** Files with their text, and every folder, also those that hold nothing. */
export function treeOf(folder: string): Readonly<Record<string, string | null>> {
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()
  return {
    ...Object.fromEntries(paths.map(path => [path.split(sep).join('/'), null])),
    ...contentOf(folder),
  }
}
