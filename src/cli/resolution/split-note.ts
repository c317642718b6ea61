import {basename, dirname, join} from 'node:path'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {HomeFile} from '../../pipeline/home/write-home.js'
import type {ReadRequest} from '../../pipeline/request/read-request.js'
import {treeIn} from '../../plan/folder/home.js'
import {shellWord} from '../../text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {indexFlags} from '../sources/index-flags.js'
import type {placeFlags} from '../declaration/request-flags.js'
import {flagWords} from '../shell/flags/flag-words.js'

type Flags = Partial<FlagValues<typeof indexFlags & typeof placeFlags>> & {readonly declaration?: string}

/** Returns the next step after a declaration was split: until then, all rendered files are listed in one file. */
export function splitNote(
  files: readonly HomeFile[],
  {declaration}: Pick<ReadRequest, 'declaration'>,
  flags: Flags,
): readonly Diagnostic[] {
  const settings = files.find(({name}) => basename(name) === DECLARATION_FILE)
  if (settings === undefined || settings.plan.operations.length === 0) return []
  const output = treeIn({folder: ''}, declaration?.content.tree.output)
  const tree = join(dirname(flags.declaration ?? ''), output)
  const words = [...flagWords(flags, FLAGS), '--output-dir', tree]
  return [
    {
      severity: 'note',
      rule: 'split-declaration',
      message: `if ${tree} is in the repository, render it again and commit both before you create branches: this also splits its list of files`,
      suggestions: [['kubectl crossplane package render', ...words.map(shellWord)].join(' ')],
    },
  ]
}

const FLAGS = ['declaration', 'packages', 'packages-base', 'index'] as const
