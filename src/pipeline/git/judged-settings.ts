import type {Checkout} from '../../commit/checkout.js'
import type {FolderPreview} from '../../commit/write-folder.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {joinOwnedFiles, parseLists, TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {present} from '../../present.js'
import {expectSameSettings} from '../render/expect-same-settings.js'
import {type SettingChange, settingChange} from '../render/setting-change.js'
import type {GitQuery} from './git-request.js'
import type {HomeFiles} from '../home/committed-home.js'

/** Throws `git-refused` for a change of the settings that the tree was rendered with, unless a flag allows it. */
export async function judgedSettings(
  {settingFlags, request}: Pick<GitQuery, 'settingFlags' | 'request'>,
  {tree, lists, settings, declaration}: HomeFiles,
  {files, plan, before}: FolderPreview & {readonly files: readonly OutputFile[]},
  checkout: Pick<Checkout, 'committedFiles'>,
): Promise<SettingChange> {
  const owned = [...joinOwnedFiles(parseLists(lists, tree).values()).keys()]
  const read = async (paths: readonly string[]) => {
    // They were read together with the declaration.
    if (paths.includes(TREE_SETTINGS))
      return new Map(settings === undefined ? [] : [[TREE_SETTINGS, settings]])
    const committed = await checkout.committedFiles(paths.map(path => `${tree}/${path}`))
    const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()
    return new Map([...committed].map(([path, bytes]) => [path.slice(tree.length + 1), textOf(bytes)]))
  }
  const whole = await settingChange(
    {name: tree, path: tree, owned, read},
    {files, operations: plan.operations, before},
  )
  // Crossplane does not install twice what a move has handed over.
  const change = request.kind === 'move' ? {...whole, renamed: []} : whole
  expectSameSettings(change, settingFlags, {
    code: 'git-refused',
    action: 'commit',
    tree,
    declaration: {name: declaration.name, ...present({bytes: declaration.bytes})},
  })
  return change
}
