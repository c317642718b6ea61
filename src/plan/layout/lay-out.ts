import type {InstallSet} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {byPath, filesOf, type OutputFile} from '../folder/file-tree.js'
import {GIT_ATTRIBUTES, GIT_ATTRIBUTES_TEXT} from '../folder/owned-files.js'
import {annotated} from './annotate.js'
import {argocdLayout} from './argocd-layout.js'
import {fluxLayout} from './flux-layout.js'
import type {ControllerFiles, TreeOptions} from './layout.js'

/**
 * The files of a tree, sorted by path: those of `filesOf`, with the annotations and the additional files of its layout.
 * `write` turns a value into YAML. Throws `conflict` when the set holds one object twice.
 */
export function layOut(
  set: InstallSet,
  options: TreeOptions,
  write: (value: JsonObject) => string,
): readonly OutputFile[] {
  const objects = options.externalCrds ? set.objects.filter(({phase}) => phase !== 'crds') : set.objects
  const laidOut = {...set, objects}
  const layout = controllerFiles(set, options, write)
  const files =
    layout === undefined
      ? filesOf(laidOut, write)
      : [...filesOf(annotated(laidOut, layout.annotationsOf), write, 'apart'), ...layout.added]
  return [...files, {path: GIT_ATTRIBUTES, content: GIT_ATTRIBUTES_TEXT}].sort(byPath)
}

function controllerFiles(
  set: InstallSet,
  options: TreeOptions,
  write: (value: JsonObject) => string,
): ControllerFiles | undefined {
  const {layout} = options
  if (layout.name === 'flux') return fluxLayout(set, options, layout.settings, write)
  if (layout.name === 'argocd') return argocdLayout(set, options, layout.settings, write)
  return undefined
}
