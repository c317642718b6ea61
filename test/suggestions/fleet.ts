import type {SuggestionCase} from './suggestion-case.js'

const PROMOTE = ['package', 'promote', 'staging']

/** Suggestions about homes that need none. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a promotion of a home to itself', in: [...PROMOTE, 'staging', '--git', '.']},
  {name: 'no folder of homes', in: ['package', 'fleet', 'no-such-folder']},
  {
    name: 'no folders and no rings',
    in: ['package', 'fleet'],
    want: ['Write it with the order of the homes, or pass --rings FILE. package fleet also takes folders.'],
  },
  {name: 'folders beside rings', in: ['package', 'fleet', 'x', '--rings', 'y']},
  {name: 'more contexts than homes', in: ['package', 'fleet', 'scripts', '--contexts', 'a']},
  {name: 'folders beside --next', in: [...PROMOTE, 'production', '--next']},
  {name: 'a table of rings', in: ['package', 'promote', '--next', '--output', 'wide']},
  {name: 'a home outside of the repository', in: [...PROMOTE, '../x', '--git', '.']},
  {
    name: 'acceptance in a pull request',
    in: [...PROMOTE, 'production', '--git', '.', '--pr', 'gitlab', '--accept-impact'],
  },
]
