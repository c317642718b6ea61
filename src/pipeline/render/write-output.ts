import type {OutputFolder} from '../../commit/output-folder.js'
import {type FolderChange, writeFolder} from '../../commit/write-folder.js'
import {filesOf} from '../../plan/file-tree.js'
import type {InstallSet} from '../../render/install-set.js'
import {writeYaml} from '../../yaml/write-yaml.js'

/** Writes a set as files, one for each object, and leaves what is not ours as it is. */
export async function writeOutput(set: InstallSet, folder: OutputFolder): Promise<FolderChange> {
  return await writeFolder(
    filesOf(set, object => writeYaml([object])),
    folder,
  )
}
