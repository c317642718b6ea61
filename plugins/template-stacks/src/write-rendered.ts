import {
  CrossplaneError,
  type KubernetesObject,
  nameOf,
  objectFileName,
  writableFolder,
  writeAll,
  writeYaml,
} from 'kubectl-crossplane/plugin'

/**
 * Writes a file for each object, with a number first so that they sort in the order in which they are applied. Throws
 * `output-refused` for a folder with any other file: it could be applied together with these.
 */
export async function writeRendered(objects: readonly KubernetesObject[], path: string): Promise<number> {
  const digits = String(objects.length).length
  const files = objects.map((object, index) => ({
    path: `${String(index + 1).padStart(digits, '0')}-${objectFileName(nameOf(object))}.yaml`,
    text: writeYaml([object]),
  }))
  const folder = await writableFolder(path)
  const names = new Set(files.map(file => file.path))
  const others = ((await folder.list()) ?? []).filter(name => !names.has(name)).sort()
  if (others[0] !== undefined) {
    throw new CrossplaneError(
      'output-refused',
      `cannot write to ${path}: it contains other files, such as ${others[0]}`,
      {
        suggestions: ['Pass a new or an empty folder.'],
      },
    )
  }
  return (await writeAll(files, folder)).length
}
