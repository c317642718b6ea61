import {withSettings} from '../../declaration/add-settings.js'
import {settingsText} from '../../declaration/entries/home-texts.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import type {WritableFile} from '../../fetch/output-files.js'
import type {Mirrors} from '../../reference/mirrors.js'
import type {InputFile} from '../../render/written-input.js'
import {planHomeFiles, writeHomeFiles} from '../home/write-home.js'

/** The mirrors of a pushed bundle. */
export interface BundleMirrors {
  readonly registries: Mirrors
  /** Whether packages for a current Crossplane are among them, which it has to read from there, too. */
  readonly hasXpkgs: boolean
}

/**
 * Adds mirrors to a declaration; what else it has stays as it is, also an `xpkg.mirrors` that is false. Throws `usage` if it has another mirror for one of the
 * registries, and `input-invalid` where a line cannot be added.
 */
export async function declareMirrors(
  path: string,
  declaration: InputFile,
  {registries, hasXpkgs}: BundleMirrors,
  open: (path: string) => WritableFile,
): Promise<void> {
  const {xpkg: {mirrors} = {}} = readDeclaration(declaration.name, declaration.bytes)
  const xpkg = hasXpkgs && mirrors === undefined ? {mirrors: true} : {}
  const edited = withSettings(declaration, {registries, xpkg, render: {}, assume: [], owners: []})
  const {name, isSplit = false} = declaration
  const text = settingsText({name, bytes: Buffer.from(edited)}, isSplit)
  await writeHomeFiles(await planHomeFiles(new Map([[path, text]]), open))
}
