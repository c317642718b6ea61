import {withSettings} from '../../declaration/add-settings.js'
import type {WritableFile} from '../../fetch/output-files.js'
import type {Mirrors} from '../../reference/mirrors.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {planHomeFiles, writeHomeFiles} from '../write-home.js'

/**
 * Adds mirrors to a declaration; what else it has stays as it is. Throws `usage` if it has another mirror for one of the
 * registries, and `input-invalid` where a line cannot be added.
 */
export async function declareMirrors(
  path: string,
  declaration: DeclarationFile,
  registries: Mirrors,
  open: (path: string) => WritableFile,
): Promise<void> {
  const text = withSettings(declaration, {registries, render: {}, assume: [], owners: []})
  await writeHomeFiles(await planHomeFiles(new Map([[path, text]]), open))
}
