import type {OutputFolder} from '../../commit/output-folder.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {ENTRIES_FOLDER, ENTRY_ENDING} from '../../declaration/entries/entry-files.js'
import {isSameDeclaration} from '../../declaration/same-declaration.js'
import {type HomePlace, pathInHome} from '../../plan/folder/home.js'
import type {HomeFiles, PlannedHome} from './plan-home.js'

/**
 * Keeps the form that a hook gave to the changed files of a declaration when it stopped an earlier run, so that the same
 * command passes the hook. Every other change of the working tree is one of the user.
 */
export async function formattedHome(
  planned: PlannedHome,
  {declaration}: Pick<HomeFiles, 'declaration'>,
  home: Pick<HomePlace, 'folder'>,
  whole: Pick<OutputFolder, 'read'>,
): Promise<PlannedHome> {
  const head = textsInHead(declaration)
  const texts = new Map(planned.texts)
  for (const [path, text] of texts) {
    if (!isDeclaration(path) || text === undefined || text === head.get(path)) continue
    const current = await whole.read(pathInHome(home, path))
    if (current !== undefined && isSameDeclaration(current, text)) texts.set(path, current)
  }
  return {...planned, texts}
}

/** Returns the texts of the declaration, without those of locks and deleted files, by path. */
export function declarationsIn(
  {texts}: Pick<PlannedHome, 'texts'>,
  home: Pick<HomePlace, 'folder'>,
): ReadonlyMap<string, string> {
  return new Map(
    [...texts].flatMap(([path, text]) =>
      text === undefined || !isDeclaration(path) ? [] : [[pathInHome(home, path), text] as const],
    ),
  )
}

function isDeclaration(path: string): boolean {
  return path.endsWith(ENTRY_ENDING)
}

function textsInHead({bytes, split}: HomeFiles['declaration']): ReadonlyMap<string, string> {
  const settings = split?.settings.bytes ?? bytes
  return new Map([
    ...(settings === undefined ? [] : [[DECLARATION_FILE, Buffer.from(settings).toString()] as const]),
    ...(split?.entries ?? []).map(
      ({entry, bytes: text}) =>
        [`${ENTRIES_FOLDER}/${entry}${ENTRY_ENDING}`, Buffer.from(text).toString()] as const,
    ),
  ])
}
