import type {OutputFile} from '../../plan/folder/file-tree.js'
import {TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {formatTreeSettings, type TreeFormat} from '../../plan/folder/tree-settings.js'
import type {WholeTreeOptions} from '../../plan/layout/layout.js'
import {present} from '../../present.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
import {type Fields, having} from './tree-fields.js'

/** Returns the file with the settings of a tree. */
export function settingsFile(sets: RenderedSets, options: WholeTreeOptions): OutputFile {
  const formats: readonly TreeFormat[] = [
    ...((sets.stacks?.installs.length ?? 0) > 0 ? (['stack'] as const) : []),
    ...((sets.xpkgs?.objects.length ?? 0) > 0 ? (['xpkg'] as const) : []),
  ]
  const isOf = (field: string) =>
    field.startsWith('render.') ? formats.includes('stack') : formats.includes('xpkg')
  const fields = new Map([
    ...having(layoutFields(options)),
    ...[...(sets.fields ?? [])].filter(([field]) => isOf(field)),
  ])
  const hasFolder = formats.includes('xpkg') && options.layout.name !== 'flux'
  const settings = {formats, fields, ...(hasFolder ? {xpkgFolder: options.xpkgFolder} : {})}
  return {path: TREE_SETTINGS, content: formatTreeSettings(settings)}
}

function layoutFields({layout, externalCrds}: WholeTreeOptions): Fields {
  const options: JsonObject = present(layout.name === 'plain' ? {} : {...layout.settings})
  return [
    ['layout', layout.name],
    ...Object.entries(options)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([option, value]) => [`${layout.name}.${option}`, value] as const),
    ['crds', externalCrds ? 'external' : undefined],
  ]
}
