import {asObject, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {byPath, kustomization, type OutputFile} from '../folder/file-tree.js'
import {guardedStart} from '../folder/tree-guard.js'

/**
 * Joins the files of packages of both formats to those of one tree, sorted by path. Files that both have, such as the one
 * that starts a controller, are the same; the kustomization at the top lists the folders of both.
 */
export function joinTrees(
  trees: readonly (readonly OutputFile[])[],
  write: (value: JsonObject) => string,
): readonly OutputFile[] {
  const [only, other] = trees
  if (only !== undefined && other === undefined) return only
  const files = new Map<string, OutputFile>()
  for (const file of trees.flat()) {
    const before = files.get(file.path)
    files.set(file.path, before === undefined ? file : joined(before, file, write))
  }
  return [...files.values()].sort(byPath)
}

function joined(one: OutputFile, other: OutputFile, write: (value: JsonObject) => string): OutputFile {
  if (one.path !== TOP || guardedStart(one.content) !== undefined) return one
  return {...one, content: write(kustomization([...resourcesIn(one), ...resourcesIn(other)]))}
}

const TOP = 'kustomization.yaml'

function resourcesIn({path, content}: OutputFile): readonly string[] {
  return readYaml(Buffer.from(content), path).flatMap(({value}) => asTexts(asObject(value).resources))
}
