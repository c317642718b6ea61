import {basename, dirname, join} from 'node:path'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {ENTRIES_FOLDER, ENTRY_ENDING, type WholeDeclaration} from '../../declaration/entries/entry-files.js'
import {LOCK_FILE, splitTexts} from '../../declaration/entries/home-texts.js'
import type {Lock} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {type HomeFile, planHomeFiles} from '../../pipeline/home/write-home.js'
import {type ObservedLock, planLock} from '../../pipeline/resolution/write-lock.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {splitFlag} from '../declaration/lock-flags.js'
import {imageOutputs, readNamedFile} from '../wire.js'
import {wholeDeclarationAt, wholeLockAt} from '../files/entry-folder.js'

type Flags = FlagValues<typeof splitFlag> & {readonly declaration?: string; readonly 'lock-file'?: string}

/**
 * Plans what `package lock` writes: the lock file or, for a declaration with its entries in files of their own and with
 * `--split`, those files and the lock of each install. Throws `usage` for a declaration of another name.
 */
export async function filesToLock(
  target: ObservedLock,
  lock: Lock,
  flags: Flags,
): Promise<readonly HomeFile[]> {
  const {declaration = '-', split} = flags
  const isSplittable = basename(declaration) === DECLARATION_FILE && flags['lock-file'] === undefined
  if (split && !isSplittable) throw notSplittable()
  const whole = isSplittable ? await readWhole(declaration) : undefined
  if (whole !== undefined && (split || whole.split !== undefined)) return await splitFiles(whole, lock)
  return [lockFile(target, lock)]
}

async function splitFiles(whole: WholeDeclaration, lock: Lock): Promise<readonly HomeFile[]> {
  const entries = whole.split?.entries ?? []
  const before = await existingPaths(whole.name, entries)
  const texts = new Map<string, string | undefined>([
    ...before.map(path => [path, undefined] as const),
    ...splitTexts(whole, lock, entries),
  ])
  const outputs = await imageOutputs()
  return await planHomeFiles(texts, path => outputs.file(join(dirname(whole.name), path)))
}

async function readWhole(declaration: string) {
  return await wholeDeclarationAt({
    name: declaration,
    bytes: await readNamedFile(declaration, MAX_FILE_BYTES),
  })
}

async function existingPaths(
  declaration: string,
  entries: readonly {readonly entry: string}[],
): Promise<readonly string[]> {
  const locks = await wholeLockAt(join(dirname(declaration), LOCK_FILE))
  return [
    LOCK_FILE,
    ...entries.map(({entry}) => `${ENTRIES_FOLDER}/${entry}${ENTRY_ENDING}`),
    ...[...(locks?.files.keys() ?? [])].map(name => `${ENTRIES_FOLDER}/${name}`),
  ]
}

function lockFile(target: ObservedLock, lock: Lock): HomeFile {
  const {file, bytes} = target
  const before = bytes === undefined ? {} : {before: Buffer.from(bytes).toString()}
  return {name: file.name, file, plan: planLock(target, lock), ...before}
}

function notSplittable(): CrossplaneError {
  const message = `--split requires a declaration in a file named ${DECLARATION_FILE}`
  return new CrossplaneError('usage', message, {
    suggestions: [`Pass --declaration with a file named ${DECLARATION_FILE}.`],
  })
}
