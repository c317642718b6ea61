import type {Checkout} from '../../commit/checkout.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {ENTRIES_FOLDER, ENTRY_ENDING, LOCK_ENDING} from '../../declaration/entries/entry-files.js'
import {extendedPath} from '../../declaration/entries/read-base.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {readLock} from '../../declaration/read-lock.js'
import {isSameDeclaration} from '../../declaration/same-declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {FolderEntry} from '../../plan/folder/folder-snapshot.js'
import type {ChangedPath} from '../../plan/git/checkout-snapshot.js'
import {type HomePlace, pathInHome} from '../../plan/folder/home.js'
import {present} from '../../present.js'
import {shellWord} from '../../text.js'
import type {PlannedHome} from './plan-home.js'
import type {HomeFiles} from '../home/committed-home.js'

type WorkingTree = Pick<OutputFolder, 'name' | 'look' | 'read' | 'names'>

/**
 * Throws for a declaration or a lock that HEAD does not have, but the working tree does: without them, another registry and
 * other versions would be selected. A declaration that an interrupted run of the same command left is completed, with its lock.
 * Throws `git-refused` for one that is not committed, and `input-invalid` for one with errors.
 * @param leftover - the declaration that the command writes to a home without one, if it does.
 */
export async function expectCommittedHome(
  place: HomePlace,
  base: HomeFiles,
  {whole, checkout}: {readonly whole: WorkingTree; readonly checkout: Pick<Checkout, 'changed'>},
  leftover: string | undefined,
): Promise<void> {
  const {declaration, lock} = base
  const paths = [
    ...(declaration.bytes === undefined ? [place.declaration] : []),
    ...(lock.bytes === undefined && declaration.split === undefined ? [place.lock] : []),
  ]
  if (paths.length === 0) return
  const entries = await whole.look(paths)
  for (const path of paths) {
    const entry = entries.get(path)
    if (entry === undefined) continue
    const text = await textAt(path, entry, whole)
    if (path === place.lock) readLock(lock.name, Buffer.from(text))
    else if (!isLeftover(text, leftover, declaration.name))
      throw notCommitted([path, ...paths.filter(other => other !== path && entries.has(other))], {
        name: declaration.name,
        root: whole.name,
        changed: await checkout.changed([path]),
      })
  }
}

async function textAt(path: string, entry: FolderEntry, whole: WorkingTree): Promise<string> {
  if (entry.kind !== 'file') {
    const kind = entry.kind === 'link' ? 'a link' : entry.kind === 'folder' ? 'a folder' : 'not a file'
    throw new CrossplaneError('git-refused', `cannot read ${whole.name}/${path}: it is ${kind}`, {
      suggestions: ['Replace it with a file and commit that, or pass --path with another folder.'],
    })
  }
  return (await whole.read(path)) ?? ''
}

/** Throws `input-invalid` for a declaration with errors. */
function isLeftover(text: string, leftover: string | undefined, name: string): boolean {
  const file = {name, bytes: Buffer.from(text)}
  if (extendedPath(file) === undefined) readDeclaration(name, file.bytes)
  return leftover !== undefined && isSameDeclaration(text, leftover)
}

/** The declaration is first; a lock that stays uncommitted would stop the next run. */
function notCommitted(
  paths: readonly string[],
  {
    name,
    root,
    changed,
  }: {readonly name: string; readonly root: string; readonly changed: readonly ChangedPath[]},
): CrossplaneError {
  const isStaged = changed.some(one => one.isStaged)
  return new CrossplaneError('git-refused', `cannot use ${name}: the file is not committed`, {
    diagnostics: [
      {
        severity: 'error',
        rule: isStaged ? 'staged-changes' : 'modified-file',
        message: isStaged ? 'the file is staged, but not committed' : 'the file is not committed',
        ...present({file: paths[0]}),
      },
    ],
    suggestions: [commitCommand(root, paths)],
  })
}

/** Returns a rejection for each file of an entry that HEAD does not have and the command does not write. */
export async function untrackedEntries(
  place: HomePlace,
  {declaration, existing}: HomeFiles,
  {texts}: Pick<PlannedHome, 'texts'>,
  whole: WorkingTree,
): Promise<readonly Diagnostic[]> {
  if (declaration.split === undefined) return []
  const names = await whole.names(pathInHome(place, ENTRIES_FOLDER))
  const files = names.filter(name => name.endsWith(ENTRY_ENDING) || name.endsWith(LOCK_ENDING))
  const others = files
    .map(name => `${ENTRIES_FOLDER}/${name}`)
    .filter(path => !existing.includes(path) && texts.get(path) === undefined)
  return others.map(relative => {
    const path = pathInHome(place, relative)
    return {
      severity: 'error',
      rule: 'untracked-entry',
      message: 'the file is part of the declaration, but is not committed',
      file: path,
      suggestions: [commitCommand(whole.name, [path])],
    }
  })
}

function commitCommand(root: string, paths: readonly string[]): string {
  const [at, file] = [shellWord(root), paths.map(shellWord).join(' ')]
  return `git -C ${at} add --force -- ${file} && git -C ${at} commit --message=${shellWord('Add the declaration')} -- ${file}`
}
