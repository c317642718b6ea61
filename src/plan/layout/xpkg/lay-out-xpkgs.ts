import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {XpkgSet, XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import type {JsonObject} from '../../../yaml/json-value.js'
import {distinctNames} from '../../folder/file-name.js'
import {byPath, kustomization, type OutputFile} from '../../folder/file-tree.js'
import {GIT_ATTRIBUTES, GIT_ATTRIBUTES_TEXT} from '../../folder/owned-files.js'
import type {WholeTreeOptions} from '../layout.js'
import {lockGuard} from './lock-guard.js'
import {xpkgArgocdFiles} from './xpkg-argocd.js'
import {xpkgFluxFiles} from './xpkg-flux.js'
import type {XpkgFolder} from './xpkg-folder.js'

/**
 * The files of a set of packages for a current Crossplane, sorted by path. For Flux, each stage has a folder; otherwise one
 * folder has all objects. No path contains a version, so that an upgrade is a diff.
 */
export function layOutXpkgs(
  set: XpkgSet,
  options: Pick<WholeTreeOptions, 'layout' | 'path' | 'xpkgFolder'>,
  write: (value: JsonObject) => string,
): readonly OutputFile[] {
  const {layout, xpkgFolder} = options
  // What kubectl applies waits for nothing.
  const members = layout.name === 'plain' ? set.objects : [...lockGuard(set.objects), ...set.objects]
  const whole = {path: xpkgFolder, members}
  const folders = layout.name === 'flux' ? stageFolders(members) : [whole]
  const attributes = {path: GIT_ATTRIBUTES, content: GIT_ATTRIBUTES_TEXT}
  const added =
    layout.name === 'flux'
      ? xpkgFluxFiles(folders, options, layout.settings, write)
      : layout.name === 'argocd'
        ? xpkgArgocdFiles(whole, options, layout.settings, write)
        : {annotationsOf: () => ({}), added: [topKustomization(xpkgFolder, write)]}
  const objects = folders.flatMap(folder => folderFiles(folder, added.annotationsOf, write))
  return [...objects, ...added.added, attributes].sort(byPath)
}

/** The first folder has what packages need before they are requested. */
function stageFolders(objects: readonly XpkgSetObject[]): readonly XpkgFolder[] {
  const stages = [...new Set(objects.map(({stage}) => stage))].sort((a, b) => a - b)
  return stages.map(stage => ({
    path: stage === 0 ? 'config' : `stage-${stage}`,
    members: objects.filter(object => object.stage === stage),
  }))
}

function topKustomization(folder: string, write: (value: JsonObject) => string): OutputFile {
  return {path: 'kustomization.yaml', content: write(kustomization([folder]))}
}

/** One file for each object, and the list of them in the order in which a cluster needs them. */
function folderFiles(
  {path, members}: XpkgFolder,
  annotationsOf: (object: XpkgSetObject) => Readonly<Record<string, string>>,
  write: (value: JsonObject) => string,
): readonly OutputFile[] {
  const names = distinctNames(
    members.map(({object, fileName}) => ({
      stem: `${object.kind}-${fileName ?? object.metadata.name}`,
      identity: `${object.kind}/${object.metadata.name}`,
    })),
    '.yaml',
  )
  const files = members.map((member, index) => {
    const object = annotated(member.object, annotationsOf(member))
    return {path: `${path}/${names[index] ?? ''}`, content: write(object), object}
  })
  return [...files, {path: `${path}/kustomization.yaml`, content: write(kustomization(names))}]
}

function annotated(object: KubernetesObject, added: Readonly<Record<string, string>>): KubernetesObject {
  if (Object.keys(added).length === 0) return object
  const annotations = {...object.metadata.annotations, ...added}
  return {...object, metadata: {...object.metadata, annotations}}
}
