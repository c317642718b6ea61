import {CrossplaneError} from '../../errors.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {quoted} from '../../text.js'

/** The files of a home: paths relative to the root of a repository, with `/` between segments. */
export interface Home {
  /** The folder; empty for the root. */
  readonly folder: string
  readonly declaration: string
  readonly lock: string
  /** The folder of the rendered tree. */
  readonly tree: string
}

/** The folder of the rendered tree in a home. */
const TREE = 'packages'

/** Returns the home in a folder of a repository. Throws `usage` for a path that can leave the repository. */
export function homeIn(path: string): Home {
  const segments = path.split('/').filter(each => each !== '' && each !== '.')
  const isInside = segments.every(each => each !== '..' && !/^\.git$/i.test(each) && !/[\\\0\n\r]/.test(each))
  if (path.startsWith('/') || !isInside) {
    throw new CrossplaneError('usage', `invalid --path ${quoted(path)}: not a folder of the repository`, {
      suggestions: ['Write the folder relative to the root of the repository, such as clusters/production.'],
    })
  }
  const folder = segments.join('/')
  const inHome = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  return {
    folder,
    declaration: inHome(DECLARATION_FILE),
    lock: inHome(DECLARATION_FILE.replace(/\.yaml$/, '.lock')),
    tree: inHome(TREE),
  }
}
