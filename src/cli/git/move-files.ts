import {dirname, relative, resolve} from 'node:path'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {moveFolder, planFolderMove} from '../../pipeline/render/move-folder.js'
import {treeIn} from '../../plan/folder/home.js'
import {movePlan} from '../../plan/folder/move-files.js'
import {expectExecutable} from '../../plan/rejection.js'
import {count} from '../../text.js'
import {type ChangeOutput, type changeFlags, showsObjects} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {nearestDeclaration} from '../sources/default-declaration.js'
import {isDocument, show, showNotes} from '../shell/document/show.js'
import {formatPlanDocument, formatPlanText} from '../plan/show-plan.js'
import {painter} from '../shell/text/paint.js'
import {declaredOutput} from './declared-output.js'
import {outputFolder, repositoryPaths} from '../wire.js'
import {expectConfirmed} from './git-plan.js'
import {showChange} from '../render/output-dir.js'

type MoveFlags = Pick<FlagValues<typeof changeFlags>, 'yes' | 'dry-run' | 'show-objects' | 'show-files'> & {
  readonly declaration?: string
  readonly output: ChangeOutput
}

/** Moves the files of the tree beside a declaration to the folders of new trees, without Git, or shows what would move. */
export async function toMovedFolder(flags: MoveFlags, argv: readonly string[]): Promise<void> {
  if (flags['dry-run'] === 'server') throw serverDryRun()
  const name = await treeFolder(flags.declaration)
  const folder = await outputFolder(name)
  const move = await planFolderMove({folder, path: async () => (await repositoryPaths.pathOf(name)) ?? ''})
  if (move === undefined) return report(`${name}: nothing to move`, argv)
  const {moved, preview} = move
  showNotes([unsearched(`${name}/${moved.from}`)], argv)
  const total = moved.files.filter(({path}) => path.startsWith(`${moved.to}/`)).length
  const effect = `No object changes: ${count(total, 'file')} of ${name}/${moved.from} to ${name}/${moved.to}`
  if (flags['dry-run'] === 'client') {
    const plan = movePlan(preview.plan, moved)
    const paint = painter(argv, 'stdout')
    const shown = {
      before: preview.before,
      paint,
      showsObjects: showsObjects(flags),
      showsFiles: flags['show-files'],
    }
    const {output} = flags
    await show(
      isDocument(output) ? formatPlanDocument(plan, output) : formatPlanText(plan, name, {...shown, effect}),
    )
  } else report(effect, argv)
  expectExecutable(preview.plan, name)
  if (flags['dry-run'] === 'client') return
  await expectConfirmed('Move these files?', {flags})
  await showChange(await moveFolder(move, folder), {folder: name, argv, format: flags.output})
}

/** The folder of the rendered files of a declaration. Throws `not-found` without one. */
async function treeFolder(named: string | undefined): Promise<string> {
  const from = process.cwd()
  const declaration = named ?? nearestDeclaration(from)
  if (declaration === undefined) {
    throw new CrossplaneError('not-found', 'cannot move files: no declaration found', {
      suggestions: ['Pass --declaration FILE or --git DIR.'],
    })
  }
  const tree = treeIn({folder: ''}, await declaredOutput(declaration))
  return relative(from, resolve(dirname(declaration), tree)) || '.'
}

function unsearched(folder: string): Diagnostic {
  return {
    severity: 'note',
    rule: 'move-unsearched',
    message: `no other files were searched, as --git DIR does: if something has Argo CD or Flux apply ${folder} or a part of it, let that apply the whole tree before the move`,
  }
}

function report(text: string, argv: readonly string[]): void {
  if (!isQuietRun(argv)) process.stderr.write(`${text}\n`)
}

function serverDryRun(): CrossplaneError {
  return new CrossplaneError('usage', '--dry-run=server and --move-files are mutually exclusive', {
    suggestions: ['Pass --dry-run=client.'],
  })
}
