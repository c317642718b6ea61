import type {InstallSet} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {byPath, filesOf, kustomization, type OutputFile} from '../folder/file-tree.js'
import {GIT_ATTRIBUTES} from '../folder/owned-files.js'
import {argocdLayout} from './argocd-layout.js'
import {fluxLayout} from './flux-layout.js'
import type {LaidOutSet, TreeOptions} from './layout.js'

/**
 * The files of a tree, sorted by path: those of `filesOf`, with the annotations and the additional files of its layout.
 * `write` turns a value into YAML. Throws `conflict` when the set holds one object twice.
 */
export function layOut(
  set: InstallSet,
  options: TreeOptions,
  write: (value: JsonObject) => string,
): readonly OutputFile[] {
  const {set: annotated, added, top} = layoutOf(set, options, write)
  const objects = options.externalCrds
    ? annotated.objects.filter(({phase}) => phase !== 'crds')
    : annotated.objects
  const files = filesOf({...annotated, objects}, write)
  return [
    ...files.map(file =>
      top === undefined || file.path !== TOP ? file : {...file, content: write(kustomization(top))},
    ),
    ...added,
    {path: GIT_ATTRIBUTES, content: '* -text\n'},
  ].sort(byPath)
}

const TOP = 'kustomization.yaml'

function layoutOf(set: InstallSet, options: TreeOptions, write: (value: JsonObject) => string): LaidOutSet {
  const {layout} = options
  if (layout.name === 'flux') return fluxLayout(set, options, layout.settings, write)
  if (layout.name === 'argocd') return argocdLayout(set, options, layout.settings, write)
  return {set, added: []}
}
