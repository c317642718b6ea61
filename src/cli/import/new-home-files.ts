import type {Lock} from '../../declaration/lock.js'
import {writeLock} from '../../declaration/write-lock.js'
import {CrossplaneError} from '../../errors.js'
import {type HomeFile, planHomeFiles} from '../../pipeline/home/write-home.js'
import {existingDeclaration} from '../../pipeline/import/existing-declaration.js'
import type {DeclaredSettings} from '../../declaration/add-settings.js'
import {settingLines} from '../../pipeline/render/setting-lines.js'
import {commandLine} from '../../text.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {imageOutputs} from '../wire.js'

/**
 * Plans the files of a declaration and its lock. One that exists stays, and only gets the layout, if it has the packages and settings of
 * the cluster. Throws `output-refused` if it has others.
 */
export async function newHomeFiles(
  path: string,
  lockPath: string,
  {declaration, lock, tree}: ImportedHome,
): Promise<readonly HomeFile[]> {
  const outputs = await imageOutputs()
  const plan = async (text: string) =>
    await planHomeFiles(
      new Map([
        [path, text],
        [lockPath, writeLock(lock)],
      ]),
      name => outputs.file(name),
    )
  const files = await plan(declaration)
  const before = files[0]?.before
  if (before === undefined || before === declaration) return files
  const text = existingDeclaration({name: path, bytes: Buffer.from(before)}, declaration, tree)
  if (text !== undefined) return await plan(text)
  throw new CrossplaneError(
    'output-refused',
    `cannot write ${path}: it exists, and differs from the packages of the cluster`,
    {
      suggestions: [
        ...(tree === undefined ? [] : layoutSteps(path, tree)),
        'Pass --declaration with the name of another file, and compare them.',
      ],
    },
  )
}

/** What an import writes. */
interface ImportedHome {
  readonly declaration: string
  readonly lock: Lock
  readonly tree?: DeclaredSettings['tree']
}

/** Returns the steps that add a layout to a home without an import. */
function layoutSteps(
  path: string,
  {layout = 'plain', repoURL}: NonNullable<DeclaredSettings['tree']>,
): readonly string[] {
  const fields: JsonObject = repoURL === undefined ? {layout} : {layout, argocd: {repoURL}}
  const render = commandLine(['package', 'render', '--declaration', path, '--output-dir', 'packages'])
  return [settingLines(`to ${path}`, fields), `Then render the tree: ${render}`]
}
