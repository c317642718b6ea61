import {CrossplaneError} from '../../errors.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {isFolderName, OUTPUT_FOLDER, outputSegments} from '../../declaration/output-folder.js'
import {quoted} from '../../text.js'

/** The declaration and the lock of a home: paths relative to the root of a repository, with `/` between segments. */
export interface HomePlace {
  /** The folder; empty for the root. */
  readonly folder: string
  readonly declaration: string
  readonly lock: string
}

/** Returns the path of a file in a home, from its path relative to the declaration. */
export function pathInHome({folder}: Pick<HomePlace, 'folder'>, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** Returns the folder in the repository of a path relative to the declaration; undefined for the root and outside. */
export function folderInRepository({folder}: Pick<HomePlace, 'folder'>, path: string): string | undefined {
  const folders: string[] = []
  for (const segment of pathInHome({folder}, path).split('/').slice(0, -1)) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') folders.push(segment)
    else if (folders.pop() === undefined) return undefined
  }
  return folders.length === 0 ? undefined : folders.join('/')
}

/** The files of a home. */
export interface Home extends HomePlace {
  /** The folder of the rendered tree. */
  readonly tree: string
}

/** Returns the home in a folder of a repository. Throws `usage` for a path that can leave the repository. */
export function homeIn(path: string): HomePlace {
  const segments = path.split('/').filter(text => text !== '' && text !== '.')
  if (path.startsWith('/') || !segments.every(isFolderName)) {
    throw new CrossplaneError('usage', `invalid --path ${quoted(path)}: not a folder of the repository`, {
      suggestions: [
        'Write the folder relative to the root of the repository, such as crossplane/production.',
      ],
    })
  }
  const inHome = (name: string) => [...segments, name].join('/')
  return {
    folder: segments.join('/'),
    declaration: inHome(DECLARATION_FILE),
    lock: inHome(DECLARATION_FILE.replace(/\.yaml$/, '.lock')),
  }
}

/** Returns the folder of the rendered tree; `output` is that of the declaration. */
export function treeIn({folder}: Pick<HomePlace, 'folder'>, output = OUTPUT_FOLDER): string {
  return [...(folder === '' ? [] : [folder]), ...(outputSegments(output) ?? [OUTPUT_FOLDER])].join('/')
}
