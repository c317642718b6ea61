import type {OutputFolder} from '../../commit/output-folder.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {ENTRIES_FOLDER, ENTRY_ENDING} from '../../declaration/entries/entry-files.js'
import {ownText} from '../../declaration/entries/read-base.js'
import {isSameDeclaration} from '../../declaration/same-declaration.js'
import {type HomePlace, pathInHome} from '../../plan/folder/home.js'
import type {PlannedHome} from './plan-home.js'
import type {HomeFiles} from '../home/committed-home.js'

/** A planned home, with the files of its declaration that the working tree has already, in any form, by path. */
export interface FormattedHome extends PlannedHome {
  readonly own: ReadonlySet<string>
}

/**
 * Keeps the form that the user, or a hook that stopped an earlier run, gave to the changed files of a declaration, so that the
 * same command passes the hook. Every other change of the working tree is one of the user. So is a file that already has the
 * text of the command: a killed run that left it and a user who wrote it look the same, and only what the user wrote could be lost.
 */
export async function formattedHome(
  planned: PlannedHome,
  {declaration}: Pick<HomeFiles, 'declaration'>,
  home: Pick<HomePlace, 'folder'>,
  whole: Pick<OutputFolder, 'read'>,
): Promise<FormattedHome> {
  const head = textsInHead(declaration)
  const texts = new Map(planned.texts)
  const own = new Set<string>()
  for (const [path, text] of texts) {
    if (!isDeclaration(path) || text === undefined || text === head.get(path)) continue
    const place = pathInHome(home, path)
    const current = await whole.read(place)
    if (current === undefined || !isSameDeclaration(current, text)) continue
    texts.set(path, current)
    own.add(place)
  }
  return {...planned, texts, own}
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
    ...(settings === undefined
      ? []
      : [[DECLARATION_FILE, ownText(Buffer.from(settings).toString())] as const]),
    ...(split?.entries ?? []).map(
      ({entry, bytes: text}) =>
        [`${ENTRIES_FOLDER}/${entry}${ENTRY_ENDING}`, Buffer.from(text).toString()] as const,
    ),
  ])
}
