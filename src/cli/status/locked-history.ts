import {CrossplaneError} from '../../errors.js'
import {type LockedHistory, lockedHistory} from '../../pipeline/home/locked-history.js'
import {homeIn, treeIn} from '../../plan/folder/home.js'
import {withoutCredentials} from '../../without-credentials.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {gitReadFlags} from '../git/git-flags.js'
import {nearestHome} from '../sources/default-declaration.js'
import {showNotes} from '../shell/document/show.js'
import {showList} from '../shell/document/show-list.js'
import {lockedList} from './show-history.js'
import {progress} from '../shell/progress/progress.js'
import {painter} from '../shell/text/paint.js'
import {openRepository} from '../wire.js'

type HistoryFlags = FlagValues<typeof gitReadFlags> & {readonly namespace?: string; readonly output: string}

/** Prints the versions of a package in the commits of a repository. Throws `usage`, and the errors of git. */
export async function showLockedHistory(
  name: string | undefined,
  flags: HistoryFlags,
  argv: readonly string[],
): Promise<void> {
  if (name === undefined) {
    throw new CrossplaneError('usage', 'missing argument NAME', {
      suggestions: ['Pass the repository of a package in the lock file, NAME or NAMESPACE/NAME.'],
    })
  }
  const {namespace, output} = flags
  const history = await readHistory(namespace === undefined ? name : `${namespace}/${name}`, flags, argv)
  if (history.isCut) showNotes([OLDER], argv)
  await showList(lockedList(history, painter(argv, 'stdout')), output)
}

const OLDER = {
  severity: 'note',
  rule: 'history-cut',
  message:
    'there are older versions, which git log has: only the last ten are listed, of at most 500 commits',
} as const

async function readHistory(
  name: string,
  {git = '', path, branch}: HistoryFlags,
  argv: readonly string[],
): Promise<LockedHistory> {
  const home = homeIn(path ?? nearestHome(git))
  const shown = progress(argv)
  shown.report({kind: 'step', name: `Opening ${withoutCredentials(git)}`})
  const place = {git, branch, push: false, tree: treeIn(home), isRead: true}
  const repository = await openRepository(place).finally(shown.end)
  try {
    return await lockedHistory(name, home, repository.checkout)
  } finally {
    await repository.close()
  }
}
